import { defineConfig } from 'astro/config'
import { understudy } from 'pipeline-understudy/vite'

export default defineConfig({
  vite: { plugins: [understudy({ fixture: 'src/mocks/pipelines.fixture.json' })] },
})
