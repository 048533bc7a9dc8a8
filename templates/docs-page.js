const dark = matchMedia('(prefers-color-scheme: dark)')
const showScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', showScheme)
showScheme()
const here = document.currentScript.src
// The OpenAPI document with values of the present records, for authorized clients.
fetch(new URL('openapi.json', here)).then(async (reply) => {
  const spec = reply.ok ? await reply.json() : undefined
  const ui = SwaggerUIBundle({
    ...(spec ? { spec } : { url: 'openapi.json' }),
    dom_id: '#document',
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    // Swagger UI would otherwise send the OpenAPI document to an external validator.
    validatorUrl: null,
    onComplete() {
      for (const [scheme, value] of Object.entries(spec?.['x-credentials'] ?? {}))
        ui.preauthorizeApiKey(scheme, value)
    },
  })
})
