/** Notifies the session that saves the state, if there is one, of every change in any world. */
export class ChangeSignal {
  listener: (() => void) | undefined

  note(): void {
    this.listener?.()
  }
}
