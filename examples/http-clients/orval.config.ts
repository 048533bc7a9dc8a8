export default {
  api: {
    input: './openapi.json',
    output: {
      target: './src/generated/orval.ts',
      client: 'fetch',
      override: { mutator: { path: './src/with-orval.ts', name: 'request' } },
    },
  },
}
