// The verifier knows the headings of the specification by the table's own list.
export { documentPath, type Section, sections } from '../../src/shared/sections.ts'
