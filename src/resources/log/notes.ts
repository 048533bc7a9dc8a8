import type { NotesOf } from '../resource-notes.ts'

const path = '/pipelines/daily_sales/.logs/3/20260228T000000'

/** Descriptions and examples of the attributes and parameters of log files, for the OpenAPI document. */
export const notes: NotesOf<'logs'> = {
  title: 'Logs',
  description: 'Read the logs of pipelines.',
  attributes: {
    block_run_logs: [
      'Log files of block runs, newest first.',
      [{ name: 'load_orders.log', path: `${path}/load_orders.log`, content: 'loaded\n' }],
    ],
    'block_run_logs[].name': ['Name of the file.'],
    'block_run_logs[].path': ['Where the file is.'],
    'block_run_logs[].content': ['Content of the file; may be long.'],
    pipeline_run_logs: [
      'Log files of pipeline runs, newest first.',
      [{ name: 'pipeline.log', path: `${path}/pipeline.log`, content: 'completed\n' }],
    ],
    'pipeline_run_logs[].name': ['Name of the file.'],
    'pipeline_run_logs[].path': ['Where the file is.'],
    'pipeline_run_logs[].content': ['Content of the file; may be long.'],
    total_block_run_log_count: ['Number of log files of block runs, over all pages.', 1],
    total_pipeline_run_log_count: ['Number of log files of pipeline runs, over all pages.', 1],
    id: ['Identifies the log file.'],
    pipeline_uuid: ['Pipeline the log file belongs to.'],
    pipeline_run_id: ['Run that wrote the file.'],
    block_uuid: ['Block whose run wrote the file; null in a log of the pipeline run itself.'],
    name: ['Name of the file.'],
    path: ['Where the file is.'],
    content: ['Content of the file; may be long.'],
    created_at: ['When the file was written.'],
  },
  operations: {
    listLogs: 'Read logs',
  },
  parameters: {
    _limit: ['Maximum number of logs returned.', 20],
    _offset: ['Skip the first N logs.', 0],
    start_timestamp: ['Read logs on or after this time, in seconds since the epoch.', 1_767_225_600],
  },
  assumptions: {
    listLogs: ['logs-limit', 'logs-timestamp', 'list-order'],
  },
}
