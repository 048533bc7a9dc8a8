import { reactRouter } from '@react-router/dev/vite'
import { understudy } from 'pipeline-understudy/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [understudy({ fixture: 'mocks/pipelines.fixture.json' }), reactRouter()],
})
