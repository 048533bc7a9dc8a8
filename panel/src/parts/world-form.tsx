import { type WorldOptions, worldNamePattern, worldNameRule } from '../library.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { LineForm } from './line-form.tsx'

interface WorldFormProps {
  readonly options?: WorldOptions
  readonly done: () => void
}

/** A field for the name of a new world, which the panel then shows. */
export function WorldForm({ options = {}, done }: WorldFormProps) {
  const { live } = usePanel()
  return (
    <LineForm
      label="Name of the new world"
      placeholder="a new world"
      pattern={worldNamePattern}
      title={worldNameRule}
      button="Create world"
      action={(name) => ({
        does: act('worlds.create', name, options),
        message: `World ${name} created.`,
        done() {
          live.world.value = name
          done()
        },
      })}
    />
  )
}
