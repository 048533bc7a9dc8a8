import { ActButton } from '../parts/act-button.tsx'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { wordOf } from '../store/words.ts'
import { Choices } from './choices.tsx'
import { NewWorld } from './new-world.tsx'
import { OnPurpose, usePurposeCount } from './on-purpose.tsx'
import { Scenarios } from './scenarios.tsx'
import { Sentence } from './sentence.tsx'

/** What goes wrong on purpose: a sentence that one fills in, what is on, and stories to begin with. */
export function Wrong() {
  const { live } = usePanel()
  const count = usePurposeCount()
  return (
    <div class="wrong">
      <div class="head">
        <h1>Wrong on purpose</h1>
        {count > 0 && (
          <span class="cue">
            {wordOf(count)} {count === 1 ? 'thing' : 'things'}
          </span>
        )}
      </div>
      <div class="columns">
        <div class="stack">
          <Sentence />
          <Choices />
        </div>
        <div class="stack">
          <section aria-labelledby="on-now">
            <div class="section-head">
              <h2 id="on-now">On now</h2>
              {live.faults.value.length > 0 && (
                <ActButton as="small push" does={act('faults.clear')} says="All faults are off.">
                  All faults off
                </ActButton>
              )}
            </div>
            <OnPurpose />
          </section>
          <NewWorld />
          <Scenarios />
        </div>
      </div>
    </div>
  )
}
