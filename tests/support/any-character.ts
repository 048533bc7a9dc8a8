import fc from 'fast-check'

/** Any character but half of one. The library's own unit (`binary`) makes a map of a million of them first, for a second and a half. */
export const anyCharacter = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code))
