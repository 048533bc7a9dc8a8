const server = Cypress.env('understudy') ?? 'http://127.0.0.1:6789'
const admin = `${server}/__understudy__/api`
let count = 0
let world = ''

/**
 * Arranges the world of the test that runs, or looks at it: a method and path of the admin API, below the world.
 *
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
export function arrange(method, path, body) {
  return cy.request({ method, url: `${admin}/worlds/${world}${path}`, body }).its('body')
}

/** Gives each test a world of its own, which answers all requests of the application. */
export function inOwnWorld() {
  beforeEach(() => {
    count += 1
    world = `cypress-${Date.now()}-${count}`
    cy.request('POST', `${admin}/worlds`, { name: world })
    cy.intercept({ url: '**/api/**', middleware: true }, (request) => {
      request.headers['x-understudy-world'] = world
    })
  })
  afterEach(() => {
    arrange('DELETE', '')
  })
}
