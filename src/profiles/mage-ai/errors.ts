import type { ErrorDeviation } from '../error-answers.ts'

const signIn = 'Email/username and/or password invalid.'

/** Errors of Mage AI 0.9.79 that differ from the specification. */
export const errors: readonly ErrorDeviation[] = [
  { when: { type: 'invalid_api_key' }, httpStatus: 401, message: 'Invalid API key.', observed: 'no key' },
  {
    when: { type: 'invalid_oauth_token' },
    httpStatus: 401,
    message: 'Invalid OAuth token.',
    observed: 'garbage token',
  },
  { when: { type: 'expired_oauth_token' }, httpStatus: 401, observed: 'garbage token' },
  {
    when: { type: 'unauthorized_access', operation: 'deleteBlock' },
    message: 'Private access for delete only, invalid scope.',
    observed: 'client: DELETE block without a token',
  },
  {
    when: { type: 'unauthorized_access' },
    message: 'Private access for list only, invalid scope.',
    observed: 'no session: list pipelines',
  },
  { when: { type: 'method_not_allowed' }, httpStatus: 405, isEmpty: true, observed: 'update list path' },
  {
    when: { type: 'record_not_found', operation: 'triggerPipeline' },
    code: 500,
    exception: 'Invalid token for pipeline schedule ID {value}.',
    observed: 'trigger wrong token',
  },
  {
    when: { type: 'record_not_found', missing: 'pipeline' },
    code: 500,
    exception: 'Pipeline {value} does not exist.',
    observed: 'read missing',
  },
  {
    when: { type: 'record_not_found', missing: 'block' },
    code: 400,
    type: 'record_invalid',
    message: 'Block {value} does not exist in pipeline {parent}.',
    observed: 'block read missing',
  },
  {
    when: { type: 'record_not_found', operation: 'createSession' },
    message: signIn,
    observed: 'session wrong password',
  },
  // After a failed sign-in, the server repeats the message of that sign-in until it restarts. The profile does not.
  {
    when: { type: 'record_not_found' },
    message: 'Record not found.',
    observed: 'learned: deleteBackfill error.message',
  },
  {
    when: { type: 'record_invalid', operation: 'listLogs' },
    message: 'Value is invalid for start_timestamp.',
    observed: 'logs bad ts',
  },
  {
    when: { type: 'record_invalid', operation: 'deleteBlock' },
    code: 500,
    exception: '{message}',
    observed: 'block delete refused',
  },
  { when: { type: 'record_invalid' }, code: 500, exception: '{message}', observed: 'create bad json' },
]
