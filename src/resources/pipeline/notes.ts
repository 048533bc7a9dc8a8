import { scriptNotes } from '../pipeline-run/notes.ts'
import type { NotesOf } from '../resource-notes.ts'

const fresh = {
  name: 'daily-sales',
  type: 'python',
  description: null,
  updated_at: null,
  blocks: [],
  callbacks: [],
  conditionals: [],
  widgets: [],
}

/** Descriptions and examples of the attributes and parameters of pipelines, for the OpenAPI document. */
export const notes: NotesOf<'pipelines'> = {
  title: 'Pipelines',
  description: 'Create and read pipelines.',
  attributes: {
    uuid: ['Derived from the name: hyphens become underscores.', 'daily_sales'],
    name: ['Human readable name.', 'daily-sales'],
    type: [
      '`python` is a standard batch pipeline with a python backend, `pyspark` a batch pipeline with a spark backend.',
      'python',
    ],
    description: ['Purpose of the pipeline; null on a new one.', 'Orders into totals.'],
    data_integration: ['Settings of an `integration` pipeline; null on a new one.', null],
    executor_config: ['Settings of its executor; empty on a new pipeline.', {}],
    executor_count: ['Number of its executors; 1 on a new pipeline.', 1],
    executor_type: ['Kind of its executor; null on a new pipeline.', null],
    notification_config: ['Settings of its notifications; empty on a new pipeline.', {}],
    spark_config: ['Settings of the spark backend; empty on a new pipeline.', {}],
    updated_at: ['When the pipeline or one of its blocks last changed; null on a new pipeline.', null],
    blocks: ['The blocks that are steps; empty on a new pipeline.', []],
    callbacks: ['The blocks of type `callback`.', []],
    conditionals: ['The blocks of type `conditional`.', []],
    widgets: ['The blocks of type `chart`.', []],
    extensions: ['Further parts of the pipeline; only in the reply that reads one pipeline.', {}],
    schedules: ['The triggers of the pipeline, where `include_schedules` is 1.', []],
    clone_pipeline_uuid: ['Uuid of a pipeline to clone.', 'archive'],
    ...scriptNotes,
    tags: ['Tags of the pipeline; only replies with a profile contain them.'],
  },
  operations: {
    createPipeline: 'Create pipeline',
    listPipelines: 'Read pipelines',
    readPipeline: 'Read one pipeline',
    updatePipeline: 'Update pipeline',
    deletePipeline: 'Delete pipeline',
  },
  parameters: {
    include_schedules: ['When 1, each pipeline carries its triggers under `schedules`.', 1],
  },
  requests: {
    createPipeline: { name: 'hourly-sales', type: 'python' },
    updatePipeline: { description: 'Orders into totals, every day.' },
  },
  replies: {
    createPipeline: { ...fresh, uuid: 'hourly_sales', name: 'hourly-sales' },
    updatePipeline: {
      description: 'Orders into totals, every day.',
      updated_at: '2026-03-01 09:00:00.000000+00:00',
    },
  },
  assumptions: {
    createPipeline: [
      'pipeline-uuid-rule',
      'duplicate-name',
      'clone-field',
      'conditionals-field',
      'callback-lists',
    ],
    listPipelines: ['pipelines-list-shape', 'schedules-key', 'list-order', 'list-count', 'default-limit'],
    readPipeline: ['schedules-key', 'not-found'],
    updatePipeline: ['pipeline-rename'],
  },
}
