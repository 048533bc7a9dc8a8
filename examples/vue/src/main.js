import { createApp } from 'vue'
import PipelineList from './PipelineList.vue'

createApp(PipelineList).mount('#app')
