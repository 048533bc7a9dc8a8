import { understudy } from 'pipeline-understudy/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [understudy({ fixture: 'start.json', auth: 'key', clock: 'system' })],
})
