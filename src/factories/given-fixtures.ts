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

/** Whether a fixture was given away. */
export function isGivenFixture(fixture: object): boolean {
  return given.has(fixture)
}

/** Whether a fixture is loaded without a look at its values. */
export function isTrustedFixture(fixture: object): boolean {
  return trusted.has(fixture)
}
