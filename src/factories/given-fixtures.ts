const given = new WeakSet<object>()
const trusted = new WeakSet<object>()

/** Gives a fixture away: it belongs to the models that load it, which make no copy first. */
export function giveFixture(fixture: object): void {
  given.add(fixture)
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
