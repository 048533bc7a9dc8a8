const given = new WeakSet<object>()
const trusted = new WeakSet<object>()

/** Marks a fixture that nobody else uses: it is loaded without a copy. Returns the fixture. */
export function giveFixture<Given extends object>(fixture: Given): Given {
  given.add(fixture)
  return fixture
}

/** Gives a fixture away that is loaded as it is, without a look at its values. */
export function trustFixture(fixture: object): void {
  giveFixture(fixture)
  trusted.add(fixture)
}

/** Reports whether a fixture was passed with a transfer of ownership. */
export function isGivenFixture(fixture: object): boolean {
  return given.has(fixture)
}

/** Reports whether a fixture is loaded without validation of its values. */
export function isTrustedFixture(fixture: object): boolean {
  return trusted.has(fixture)
}
