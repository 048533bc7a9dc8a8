// Writes fixtures/demo.json: an energy retailer, Nordlicht, over its last two weeks. One record per line.
import { writeFileSync } from 'node:fs'

let state = 20260131
/** Numbers from 0 to 1, the same at every run. */
function random() {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return state / 2_147_483_648
}
const python = (...lines) => `${lines.join('\n')}\n`

const users = [
  { id: 1, username: 'mira', email: 'mira@nordlicht.example', password: 'lantern' },
  { id: 2, username: 'tomás', email: 'tomas@nordlicht.example', password: 'northern-light' },
]
const oauth_access_tokens = [
  { token: 'mira-today-3f9c1e7ab2d84c06', expires: '+20d', user_id: 1 },
  { token: 'mira-phone-90b1d2c3e4f5a617', expires: '+3d', user_id: 1 },
  { token: 'mira-last-month-1c2d3e4f5a6b', expires: '-4d', user_id: 1 },
  { token: 'tomas-today-77aa88bb99cc00dd', expires: '+28d', user_id: 2 },
  { token: 'tomas-old-laptop-0f1e2d3c4b', expires: '-40d', user_id: 2 },
]

const block = (name, type, upstream_blocks, more = {}) => ({
  name,
  type,
  ...(upstream_blocks.length ? { upstream_blocks } : {}),
  ...more,
})
const warehouse = (table, policy) => ({
  data_provider: 'postgres',
  data_provider_database: 'nordlicht',
  data_provider_schema: 'mart',
  data_provider_table: table,
  export_write_policy: policy,
  use_raw_sql: 'true',
})
const sql = (table, policy, content) => ({
  language: 'sql',
  configuration: warehouse(table, policy),
  content,
})

const pipelines = [
  {
    uuid: 'daily_revenue',
    name: 'daily-revenue',
    type: 'python',
    updated_at: '-3d',
    description: 'Meter readings, tariffs and invoices into one revenue mart, every night.',
    blocks: [
      block('wait for readings', 'sensor', [], {
        status: 'executed',
        content: python(
          '@sensor',
          'def readings_are_in(*args, **kwargs):',
          '    return landed("readings", kwargs["execution_date"])',
        ),
      }),
      block('load readings', 'data_loader', ['wait_for_readings'], {
        status: 'executed',
        content: python(
          '@data_loader',
          'def load(*args, **kwargs):',
          '    return read_parquet("s3://nordlicht/readings")',
        ),
        outputs: [
          {
            variable_uuid: 'output_0',
            type: 'table',
            sample_data: {
              columns: ['meter', 'kwh'],
              rows: [
                ['N-1001', 12.4],
                ['N-1002', 8.1],
              ],
            },
          },
        ],
      }),
      block('load tariffs', 'data_loader', [], {
        status: 'executed',
        language: 'yaml',
        content: 'source: tariffs\nversion: 7\n',
      }),
      block('load invoices', 'data_loader', [], {
        status: 'executed',
        ...sql('invoices', 'replace', 'select * from billing.invoices where issued_on >= current_date - 14'),
      }),
      block('clean readings', 'transformer', ['load_readings'], {
        status: 'executed',
        content: 'def clean(df):/n    return df.dropna()/n',
      }),
      block('price readings', 'transformer', ['clean_readings', 'load_tariffs'], { status: 'executed' }),
      block('match invoices', 'transformer', ['price_readings', 'load_invoices'], {
        status: 'executed',
        ...sql(
          'matched',
          'replace',
          'select r.*, i.invoice_id from {{ df_1 }} r left join {{ df_2 }} i using (meter)',
        ),
      }),
      block('revenue model', 'dbt', ['match_invoices'], {
        status: 'updated',
        language: 'sql',
        configuration: { data_provider_profile: 'prod' },
        content: "select * from {{ ref('matched') }}",
      }),
      block(
        'write revenue',
        'data_exporter',
        ['revenue_model'],
        sql('revenue', 'append', 'select * from {{ df_1 }}'),
      ),
      block('notes', 'markdown', [], {
        language: 'markdown',
        content: '# Daily revenue\n\nOwned by *Finance*; ask Mira first.\n',
      }),
    ],
  },
  {
    uuid: 'kundenübersicht',
    name: 'Kundenübersicht',
    type: 'python',
    updated_at: '-9d',
    description: 'Who our customers are, for the service desk.',
    blocks: [
      block('lade Kunden', 'data_loader', [], { status: 'executed' }),
      block('λόγος churn', 'transformer', ['lade_kunden'], {
        language: 'r',
        content: 'churn <- function(df) mean(df$left)\n',
      }),
      block('顧客を書く', 'data_exporter', ['λόγος_churn'], {}),
      block('only on weekdays', 'conditional', [], {
        content: python(
          '@condition',
          'def weekday(*args, **kwargs):',
          '    return kwargs["execution_date"].weekday() < 5',
        ),
      }),
      block('tell the desk', 'callback', [], {
        content: python('@on_failure', 'def tell(**kwargs):', '    notify("service-desk")'),
      }),
      block('churn by month', 'chart', [], { configuration: { chart_type: 'line', x: 'month', y: 'churn' } }),
    ],
  },
  {
    uuid: 'meter_stream',
    name: 'meter stream',
    type: 'streaming',
    updated_at: '-1d',
    executor_count: 2,
    executor_type: 'k8s',
    description: 'Readings as they arrive.',
    executor_config: { resource_limits: { cpu: '500m', memory: '512Mi' } },
    blocks: [
      block('from topic', 'data_loader', [], {
        language: 'yaml',
        content: 'connector_type: kafka\ntopic: readings\n',
      }),
      block('to lake', 'data_exporter', ['from_topic'], {
        language: 'yaml',
        content: 'connector_type: parquet\n',
      }),
    ],
  },
  {
    uuid: 'crm_sync',
    name: 'CRM sync',
    type: 'integration',
    updated_at: '-12d',
    description: 'Accounts and contacts from the CRM.',
    data_integration: {
      catalog: { streams: ['accounts', 'contacts'] },
      source: 'crm',
      destination: 'warehouse',
    },
    blocks: [
      block('crm source', 'data_loader', [], {}),
      block('warehouse destination', 'data_exporter', ['crm_source'], {}),
    ],
  },
  {
    uuid: 'load_forecast',
    name: 'load-forecast',
    type: 'pyspark',
    updated_at: '-5d',
    description: 'Tomorrow by the quarter of an hour.',
    executor_count: 4,
    spark_config: { executor_memory: '4g', others: { 'spark.sql.shuffle.partitions': '64' } },
    blocks: [
      block('weather', 'data_loader', [], { status: 'executed' }),
      block('history', 'data_loader', [], { status: 'executed' }),
      block('features', 'transformer', ['weather', 'history'], { status: 'failed' }),
      block('forecast', 'custom', ['features'], { color: 'teal', config: { horizon: '24h' } }),
      block('publish forecast', 'data_exporter', ['forecast'], {}),
    ],
  },
  {
    uuid: 'grid_prices',
    name: 'grid prices',
    type: 'python',
    updated_at: '-30d',
    description: 'Spot prices, hourly.',
    notification_config: { slack: '#grid' },
    blocks: [
      block('spot prices', 'global_data_product', [], {}),
      block('check prices', 'extension', [], { extension_uuid: 'great_expectations' }),
      block('store prices', 'data_exporter', ['spot_prices'], {}),
    ],
  },
  {
    uuid: 'gdpr_cleanup',
    name: 'GDPR cleanup',
    type: 'python',
    description: 'Forgets those who asked to be forgotten.',
    updated_at: '-60d',
    blocks: [
      block('find requests', 'data_loader', [], {}),
      block('erase', 'custom', ['find_requests'], { color: 'rose' }),
    ],
  },
  {
    uuid: 'sandbox',
    name: 'sandbox',
    type: 'python',
    blocks: [block('try things', 'scratchpad', [], { content: 'print("hello")\n' })],
  },
]

const schedule = (id, pipeline_uuid, name, interval, more = {}) => ({
  id,
  pipeline_uuid,
  name,
  schedule_type: 'time',
  schedule_interval: interval,
  status: 'active',
  start_time: '-60d',
  created_at: `-${80 - id}d`,
  token: `${id}${'5eed0c0ffee0badcafe0deadbeef0'.slice(0, 31 - String(id).length)}`.padEnd(32, '0'),
  ...more,
})
const pipeline_schedules = [
  schedule(1, 'daily_revenue', 'every night', '@daily', {
    tags: ['nightly', 'finance', 'critical'],
    sla: 7200,
    variables: { currency: 'EUR' },
    settings: { skip_if_previous_running: true, allow_blocks_to_fail: false },
  }),
  schedule(2, 'daily_revenue', 'by hand', '@once', { schedule_type: 'api', tags: ['finance'] }),
  schedule(3, 'kundenübersicht', 'wochentags', '0 6 * * 1-5', { tags: ['service'] }),
  schedule(4, 'meter_stream', 'always', '@always_on', { tags: ['critical', 'stream'] }),
  schedule(5, 'crm_sync', 'four times a day', '0 */6 * * *', {
    tags: ['nightly', 'crm'],
    settings: { skip_if_previous_running: true },
  }),
  schedule(6, 'load_forecast', 'every night', '30 2 * * *', {
    tags: ['nightly', 'grid'],
    variables: { horizon: 24 },
  }),
  schedule(7, 'grid_prices', 'hourly', '@hourly', { tags: ['grid'], status: 'inactive' }),
  schedule(8, 'grid_prices', 'price file arrived', '@once', {
    schedule_type: 'event',
    tags: ['grid', 'critical'],
    event_matchers: [{ event_type: 'aws_event', name: 'price-file', pattern: { source: ['s3'] } }],
  }),
  schedule(9, 'gdpr_cleanup', 'monthly', '@monthly', { tags: ['legal'], status: 'inactive' }),
  schedule(10, 'load_forecast', 'Backfill autumn', '@once', {}),
]

const days = (from, to) => ({
  start_datetime: `-${from}d`,
  end_datetime: `-${to}d`,
  interval_type: 'day',
  interval_units: 1,
})
const backfills = [
  {
    id: 1,
    name: 'revenue of last quarter',
    pipeline_uuid: 'daily_revenue',
    status: 'completed',
    ...days(120, 30),
    created_at: '-20d',
    started_at: '-20d',
    completed_at: '-19d',
  },
  {
    id: 2,
    name: 'autumn forecast',
    pipeline_uuid: 'load_forecast',
    pipeline_schedule_id: 10,
    status: 'running',
    ...days(6, 2),
    created_at: '-1h',
    started_at: '-50m',
    due_at: '+45s',
  },
  {
    id: 3,
    name: 'spot prices again',
    pipeline_uuid: 'grid_prices',
    status: 'failed',
    start_datetime: '-3d',
    end_datetime: '-1d',
    interval_type: 'hour',
    interval_units: 6,
    created_at: '-26h',
    started_at: '-26h',
    failed_at: '-25h',
  },
  {
    id: 4,
    name: 'CRM since spring',
    pipeline_uuid: 'crm_sync',
    status: 'cancelled',
    start_datetime: '-200d',
    end_datetime: '-20d',
    interval_type: 'week',
    interval_units: 2,
    variables: { streams: ['accounts'] },
    created_at: '-9d',
    started_at: '-9d',
  },
  {
    id: 5,
    name: 'Kunden neu zählen',
    pipeline_uuid: 'kundenübersicht',
    status: 'initial',
    start_datetime: '-90d',
    end_datetime: 'now',
    interval_type: 'month',
    interval_units: 1,
    created_at: '-1m',
    due_at: '+30s',
  },
  { id: 6, name: 'not yet planned', pipeline_uuid: 'daily_revenue', created_at: '-10m' },
]

const pipeline_runs = []
const logs = []
const minutes = (count) => `-${count}m`
function addRun(scheduleId, startedMinutesAgo, lasted, status, more = {}) {
  const { pipeline_uuid } = pipeline_schedules[scheduleId - 1]
  const id = pipeline_runs.length + 1
  const ended = status === 'running' ? {} : { completed_at: minutes(startedMinutesAgo - lasted) }
  pipeline_runs.push({
    id,
    pipeline_schedule_id: scheduleId,
    pipeline_uuid,
    status,
    created_at: minutes(startedMinutesAgo),
    ...ended,
    ...more,
  })
  if (status === 'running' || startedMinutesAgo > 3 * 1440) return
  const path = `/pipelines/${pipeline_uuid}/.logs/${scheduleId}/run-${id}`
  const outcome =
    status === 'failed' ? 'ERROR the run failed: 1 block failed\n' : `INFO the run is ${status}\n`
  const created_at = minutes(startedMinutesAgo - lasted)
  logs.push({
    pipeline_uuid,
    pipeline_run_id: id,
    name: 'pipeline.log',
    path: `${path}/pipeline.log`,
    created_at,
    content: `INFO run ${id} has started\n${outcome}`,
  })
  const blocks = pipelines.find(({ uuid }) => uuid === pipeline_uuid).blocks.slice(0, 2)
  for (const [index, { name }] of blocks.entries()) {
    const uuid = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '_')
    const broke = status === 'failed' && index === blocks.length - 1
    logs.push({
      pipeline_uuid,
      pipeline_run_id: id,
      block_uuid: uuid,
      name: `${uuid}.log`,
      path: `${path}/${uuid}.log`,
      created_at,
      content: broke
        ? `INFO ${uuid} has started\nERROR ${uuid}: KeyError: 'price'\n  in transform, line 12\n`
        : `INFO ${uuid} has started\nINFO ${uuid} wrote ${100 + Math.floor(random() * 9000)} rows\n`,
    })
  }
}
for (let day = 14; day >= 1; day--) {
  const midnight = day * 1440
  // The ninth night was a bad one: the tariffs were late, and what depends on them failed.
  const bad = day === 9
  addRun(1, midnight, 34, bad ? 'failed' : 'completed')
  if (bad)
    addRun(2, midnight - 480, 31, 'completed', {
      event_variables: { reason: 'tariffs were late', by: 'mira' },
    })
  addRun(6, midnight - 150, 52, bad || day === 4 ? 'failed' : 'completed', { variables: { horizon: 24 } })
  for (const hour of [0, 6, 12, 18])
    addRun(5, midnight - hour * 60, 4, random() < 0.05 ? 'cancelled' : 'completed')
  if (day % 7 > 1) addRun(3, midnight - 360, 11, 'completed')
  if (day % 3 === 0)
    addRun(8, midnight - 700, 2, 'completed', { event_variables: { file: `prices-${day}.csv` } })
}
for (const day of [6, 5, 4]) addRun(10, 45, 15, 'completed', { backfill_id: 2, execution_date: `-${day}d` })
for (const day of [3, 2])
  addRun(10, 45, 0, 'running', { backfill_id: 2, execution_date: `-${day}d`, ends_at: '+40s' })
addRun(2, 1, 0, 'running', { ends_at: '+20s', event_variables: { reason: 'month end', dry_run: false } })
addRun(4, 90, 0, 'running', {})
addRun(6, 2, 0, 'running', { ends_at: '+35s', ends_as: 'failed' })

const list = (records) => `[\n${records.map((record) => `    ${JSON.stringify(record)}`).join(',\n')}\n  ]`
const pipelineList = `[\n${pipelines
  .map(({ blocks, ...pipeline }) => {
    const own = JSON.stringify(pipeline).slice(0, -1)
    return `    ${own},"blocks":[\n${blocks.map((item) => `      ${JSON.stringify(item)}`).join(',\n')}\n    ]}`
  })
  .join(',\n')}\n  ]`
const custom = { statuses: [{ require_user_authentication: false }], projects: [{ name: 'demo' }] }

writeFileSync(
  'fixtures/demo.json',
  `{
  "$schema": "./fixture.schema.json",
  "users": ${list(users)},
  "api_keys": ["demo-api-key"],
  "oauth_access_tokens": ${list(oauth_access_tokens)},
  "pipelines": ${pipelineList},
  "pipeline_schedules": ${list(pipeline_schedules)},
  "backfills": ${list(backfills)},
  "pipeline_runs": ${list(pipeline_runs)},
  "logs": ${list(logs)},
  "custom": ${JSON.stringify(custom)}
}
`,
)
