import { resources } from '../../resources/index.ts'
import { Redactor } from './redact.ts'

/** The redactor of the documented resources, for what is shown apart from any world. */
export const documentedRedactor = new Redactor(resources)
