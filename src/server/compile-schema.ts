// Apart from the rest, so that the compiler is loaded when a schema has been used often.
export { compile } from 'zod/mini'
