const given = new WeakSet<object>()

/** Marks a fixture that nobody else uses, so that loading need not copy it. Returns the fixture. */
export function giveFixture<Given extends object>(fixture: Given): Given {
  given.add(fixture)
  return fixture
}

/** Reports whether `giveFixture` marked a fixture. */
export function isGivenFixture(fixture: object): boolean {
  return given.has(fixture)
}
