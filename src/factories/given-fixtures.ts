const given = new WeakSet<object>()

/** Marks a fixture that nobody else uses: it is loaded without a copy. Returns the fixture. */
export function giveFixture<Given extends object>(fixture: Given): Given {
  given.add(fixture)
  return fixture
}

/** Reports whether a fixture was passed with a transfer of ownership. */
export function isGivenFixture(fixture: object): boolean {
  return given.has(fixture)
}
