import { sveltekit } from '@sveltejs/kit/vite'
import { understudy } from 'pipeline-understudy/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [understudy({ fixture: 'src/mocks/pipelines.fixture.json' }), sveltekit()],
})
