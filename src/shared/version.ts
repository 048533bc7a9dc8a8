/** The version of this package, as `package.json` has it (a test compares): a bundle for browsers carries no manifest. */
export const version = '0.1.0'
