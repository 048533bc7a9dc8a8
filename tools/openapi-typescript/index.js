export { astToString, default as generate } from 'openapi-typescript'
