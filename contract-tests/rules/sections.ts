// The verifier knows the headings of the document by the table's own list.
export { documentPath, type Section, sections } from '../../src/shared/sections.ts'
