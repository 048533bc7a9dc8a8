import { understudy } from 'pipeline-understudy/vite'
import type { UserConfig } from 'vite'

export const config: UserConfig = { plugins: [understudy({ fixture: 'demo', panel: true })] }
