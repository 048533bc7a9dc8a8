export { ClientError } from './client-error.ts'
export { type ClientOptions, createClient } from './create-client.ts'
export type { Controls, Remote, RemoteTable, RemoteUnderstudy, RemoteWorld, WorldControls } from './types.ts'
