import { resources } from '../../resources/index.ts'
import { Redactor } from './redact.ts'

/** Redactor of the documented resources, for output that belongs to no world. */
export const documentedRedactor = new Redactor(resources)
