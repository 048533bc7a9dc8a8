import vue from '@vitejs/plugin-vue'
import { understudy } from 'pipeline-understudy/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [vue(), understudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })],
})
