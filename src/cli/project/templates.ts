import { readPackageFile } from '../../files/package-folder.ts'
import { required } from '../../shared/values.ts'

export interface PlannedFile {
  /** From the project's folder, with slashes. */
  readonly path: string
  readonly text: string
}

/** Values of the templates. */
export type TemplateOptions = {
  /** The ending of the project's own files. */
  readonly code: 'ts' | 'js'
  /** The folder of the sources, and in it that of the texts. */
  readonly sources: string
  readonly mocks: string
  readonly ending: '' | '.js'
  readonly jsonAttribute: '' | ` with { type: 'json' }`
  /** From the folder of the texts to the root of the project, with a slash at its end. */
  readonly toRoot: string
  /** The name of msw's option for requests without a handler. */
  readonly unhandled: 'onUnhandledRequest' | 'onUnhandledFrame'
}

/**
 * Fills a file of the folder `templates`: `{{name}}` with the value of that name, `{{ts|text}}` with the text in
 * TypeScript and with nothing in JavaScript.
 */
export function fillTemplate(name: string, values: Readonly<Record<string, string>>): string {
  const text = readPackageFile(`templates/${name}.txt`)
  return text.replaceAll(/\{\{(\w+)(?:\|(.*?))?\}\}/g, (_, key: string, typed: string | undefined) => {
    if (typed !== undefined) return values.code === 'ts' ? typed : ''
    return required(values[key], `a value of the template ${name}: ${key}`)
  })
}

export const fixtureName = 'pipelines.fixture.json'
