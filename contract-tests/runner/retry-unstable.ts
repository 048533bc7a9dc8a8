import { equal } from './replies.ts'

/** How often something is looked at that others may be changing. */
const mostLooks = 8

/**
 * Looks at something, asks, and looks again, until nobody has changed it meanwhile: only then two replies may be held
 * against each other. Undefined where others changed it every time.
 */
export async function retryUnstable<Seen, Asked>(
  look: () => Promise<Seen>,
  ask: (seen: Seen) => Promise<Asked>,
  shown: (seen: Seen) => unknown,
): Promise<{ readonly seen: Seen; readonly asked: Asked } | undefined> {
  for (let attempt = 0; attempt < mostLooks; attempt++) {
    const seen = await look()
    const asked = await ask(seen)
    if (equal(shown(seen), shown(await look()))) return { seen, asked }
  }
  return undefined
}
