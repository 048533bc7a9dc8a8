import { http, passthrough, type RequestHandler } from 'msw'
import { createUnderstudy, type Understudy } from '../../engine/create-understudy.ts'
import type { Fault } from '../../engine/faults/fault.ts'
import type { UnderstudyOptions } from '../../engine/read-options.ts'
import type { World } from '../../engine/worlds/world.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import { createResolver, type Intercepted, type Resolver } from '../../handlers/resolver.ts'
import { worldHeader } from '../../shared/credentials.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { worldOfStory } from './world-of-story.ts'

/** The `parameters.understudy` of a story. */
export interface StoryParameters {
  /** The start state of its world. Default: that of the understudy. */
  readonly fixture?: Fixture
  /** The name of a scenario of the understudy. */
  readonly scenario?: string
  /** The active faults. */
  readonly faults?: readonly Fault[]
}

/** The relevant parts of a story's context. */
export interface StoryContext {
  readonly id: string
  readonly parameters: { readonly understudy?: StoryParameters } & Readonly<Record<string, unknown>>
}

/** The value of `loaded.understudy` in a story. */
export interface StoryWorld {
  /** The base URL of requests of this story, for pages that show several stories. */
  readonly baseUrl: string
  /** Headers that do the same. */
  readonly headers: Readonly<Record<string, string>>
  /** The story's world. */
  readonly world: World
}

/** Stories on one understudy, each with a world of its own. */
export interface UnderstudyStories {
  readonly understudy: Understudy
  /** The name of a story's world, by the story's id. */
  worldOf(id: string): string
  /** The handlers for `setupWorker`. Pass them at the start, because the addon removes handlers that a story adds. */
  readonly handlers: RequestHandler[]
  /** A loader of Storybook that prepares the world of a story before each rendering. */
  loader(context: StoryContext): Promise<{ understudy: StoryWorld }>
}

/** The global name under which the addon of Storybook finds the stories of a page. */
export interface StoriesInPage {
  readonly understudyStories?: UnderstudyStories
}

/**
 * Creates a mock server for the stories of a Storybook.
 *
 * @example
 * const stories = understudyStories({ fixture: demo, scenarios })
 * export default { loaders: [stories.loader] }
 */
export function understudyStories(options: UnderstudyOptions = {}): UnderstudyStories {
  // A story shows times relative to those of its page.
  const understudy = createUnderstudy({ clock: 'system', ...options })
  const resolvers = new Map<string, Resolver>()
  /** The world of the latest prepared story: a canvas shows only one. */
  let latest = 'main'
  const resolverOf = (world: string, baseUrl: string) => {
    const found = resolvers.get(`${baseUrl} ${world}`)
    const resolver = found ?? createResolver(understudy, { world, baseUrl }, 'understudyStories')
    resolvers.set(`${baseUrl} ${world}`, resolver)
    return resolver
  }
  const handler = http.all(/\/api(?:\/[^?#]*)?$/, async (intercepted: Intercepted) => {
    const [, named] =
      /^\/understudy\/([^/]+)\/api(?:\/|$)/.exec(new URL(intercepted.request.url).pathname) ?? []
    const resolver = named === undefined ? resolverOf(latest, '') : resolverOf(named, `${place}/${named}`)
    return resolver.pattern.test(intercepted.request.url.replace(/[?#].*/s, ''))
      ? resolver.answer(intercepted)
      : passthrough()
  })
  const stories: UnderstudyStories = {
    understudy,
    worldOf: worldOfStory,
    handlers: [handler],
    async loader({ id, parameters }) {
      const name = worldOfStory(id)
      const { fixture, scenario, faults = [], ...others } = parameters.understudy ?? {}
      refuse(Object.keys(others), id)
      understudy.worlds.delete(name)
      const world = understudy.worlds.create(name, fixture === undefined ? {} : { fixture })
      if (scenario !== undefined) await world.scenarios.start(scenario)
      for (const fault of faults) world.faults.add(fault)
      latest = name
      return {
        understudy: { world, baseUrl: `${place}/${name}`, headers: { [worldHeader]: name } },
      }
    },
  }
  Object.assign(globalThis, { understudyStories: stories } satisfies StoriesInPage)
  return stories
}

/** Path prefix of the worlds of stories. */
const place = '/understudy'

function refuse([other]: string[], id: string): void {
  if (other === undefined) return
  throw new UnderstudyError(
    'OPTION_INVALID',
    `parameters.understudy of the story ${id}: expected fixture, scenario or faults; found ${other}.`,
  )
}
