import { describe } from 'vitest'
import { openOnRealServer } from './support/frontend.ts'
import { testFrontend } from './support/frontend-tests.ts'

const {
  REAL_SERVER: url,
  REAL_API_KEY: apiKey = '',
  REAL_EMAIL: email = '',
  REAL_PASSWORD: password = '',
} = process.env

describe('the example app before a real server', () => {
  if (url === undefined)
    throw new Error('REAL_SERVER says nothing; npm run verify:real says where the server is.')
  testFrontend(() => openOnRealServer(url, { apiKey, email, password }), {
    runTakes: 60_000,
    unknownPipeline: /Pipeline nowhere does not exist/,
    // Listed schedules have last_pipeline_run_status null, which the specification allows.
    lastListed: /never ran/,
    // Mage AI counts an edit of the content as a status.
    coupled: 'couple cars transformer, python updated, after fetch_tracks',
    contentOf: (name, type) => `# ${name}
@${type}
def work(*args, **kwargs):
    return {}
`,
  })
})
