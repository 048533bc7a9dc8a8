// Writes fixtures/demo.json: an energy retailer, Nordlicht, over its last two weeks. One record per line.
import { writeFileSync } from 'node:fs'

let state = 20260131
/** Numbers from 0 to 1, the same at every run. */
function random() {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return state / 2_147_483_648
}
/** A whole number from `low` to `high`, both included. */
const between = (low, high) => low + Math.floor(random() * (high - low + 1))
const text = (...lines) => `${lines.join('\n')}\n`
const toUuid = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '_')

const users = [
  { id: 1, username: 'mira', email: 'mira@nordlicht.example', password: 'lantern' },
  { id: 2, username: 'tomas', email: 'tomas@nordlicht.example', password: 'northern-light' },
]
const oauth_access_tokens = [
  { token: 'mira-today-3f9c1e7ab2d84c06', expires: '+20d', user_id: 1 },
  { token: 'mira-phone-90b1d2c3e4f5a6178e2b04c9', expires: '+3d', user_id: 1 },
  { token: 'mira-last-month-1c2d3e4f5a6b7081', expires: '-3d', user_id: 1 },
  { token: 'tomas-today-77aa88bb99cc00dd11ee22ff', expires: '+28d', user_id: 2 },
  { token: 'tomas-old-laptop-0f1e2d3c4b5a6978', expires: '-40d', user_id: 2 },
]

// ── Pipelines and their blocks ──────────────────────────────────────────────────────────────────────────────────────

const block = (name, type, upstream_blocks, content, more = {}) => ({
  name,
  type,
  ...(upstream_blocks.length > 0 ? { upstream_blocks } : {}),
  ...more,
  content,
})
const executed = { status: 'executed' }
const sql = (schema, table, policy, more = executed) => ({
  ...more,
  language: 'sql',
  configuration: {
    data_provider: 'postgres',
    data_provider_database: 'nordlicht',
    data_provider_schema: schema,
    data_provider_table: table,
    export_write_policy: policy,
    use_raw_sql: 'true',
  },
})
const readings = {
  columns: ['meter', 'quarter', 'kwh'],
  rows: [
    ['N-1001', '00:15', 0.124],
    ['N-1002', '00:15', 0.081],
    ['N-1003', '00:15', 0],
  ],
}

const pipelines = [
  {
    uuid: 'daily_revenue',
    name: 'daily-revenue',
    type: 'python',
    updated_at: '-3d',
    description: 'Meter readings, tariffs and invoices into one revenue mart, every night.',
    notification_config: { email: ['finance@nordlicht.example'], on: ['failure', 'passed_sla'] },
    blocks: [
      block(
        'wait for readings',
        'sensor',
        [],
        text(
          '@sensor',
          'def readings_are_in(*args, **kwargs):',
          '    return landed("readings", kwargs["execution_date"])',
        ),
        executed,
      ),
      block(
        'load readings',
        'data_loader',
        ['wait_for_readings'],
        text(
          '@data_loader',
          'def load(*args, **kwargs):',
          '    day = kwargs["execution_date"].date()',
          '    return read_parquet(f"/lake/readings/{day}.parquet")',
        ),
        {
          ...executed,
          retry_config: { retries: 3, delay: 60 },
          outputs: [{ variable_uuid: 'output_0', type: 'table', sample_data: readings, shape: [48211, 3] }],
        },
      ),
      block('load tariffs', 'data_loader', [], text('source: tariffs', 'version: 7', 'currency: EUR'), {
        ...executed,
        language: 'yaml',
      }),
      block(
        'load invoices',
        'data_loader',
        [],
        text(
          'select invoice_id, meter, issued_on, amount',
          '  from billing.invoices',
          ' where issued_on >= current_date - 14',
        ),
        sql('mart', 'invoices', 'replace'),
      ),
      block(
        'clean readings',
        'transformer',
        ['load_readings'],
        '@transformer/ndef clean(df, *args, **kwargs):/n    return df[df.kwh > 0].dropna()/n',
        executed,
      ),
      block(
        'price readings',
        'transformer',
        ['clean_readings', 'load_tariffs'],
        text(
          '@transformer',
          'def price(readings, tariffs, *args, **kwargs):',
          '    priced = readings.merge(tariffs, on="tariff")',
          '    return priced.assign(amount=priced.kwh * priced.price)',
        ),
        executed,
      ),
      block(
        'match invoices',
        'transformer',
        ['price_readings', 'load_invoices'],
        text(
          'select r.*, i.invoice_id, i.amount - r.amount as difference',
          '  from {{ df_1 }} r',
          '  left join {{ df_2 }} i using (meter)',
        ),
        sql('mart', 'matched', 'replace'),
      ),
      block(
        'revenue model',
        'dbt',
        ['price_readings', 'match_invoices'],
        text(
          'select day, tariff, sum(amount) as revenue',
          "  from {{ ref('matched') }}",
          ' group by day, tariff',
        ),
        { status: 'updated', language: 'sql', configuration: { data_provider_profile: 'prod' } },
      ),
      block(
        'write revenue',
        'data_exporter',
        ['revenue_model'],
        text('select * from {{ df_1 }}'),
        sql('mart', 'revenue', 'append', {}),
      ),
      block(
        'notes',
        'markdown',
        [],
        text(
          '# Daily revenue',
          '',
          'Owned by *Finance*; ask Mira first.',
          'Tariffs change on the 1st: check `load tariffs`.',
        ),
        { language: 'markdown' },
      ),
    ],
  },
  {
    uuid: 'kundenübersicht',
    name: 'Kundenübersicht',
    type: 'python',
    updated_at: '-9d',
    description: 'Wer unsere Kundinnen und Kunden sind: jeden Werktag für den Kundendienst.',
    blocks: [
      block(
        'lade Kunden',
        'data_loader',
        [],
        text('@data_loader', 'def lade(*args, **kwargs):', '    return lies_tabelle("kunden")'),
        executed,
      ),
      block(
        'λόγος churn',
        'transformer',
        ['lade_kunden'],
        text('churn <- function(df) {', '  aggregate(left ~ month, data = df, FUN = mean)', '}'),
        { ...executed, language: 'r' },
      ),
      block(
        '顧客を書く',
        'data_exporter',
        ['λόγος_churn'],
        text('@data_exporter', 'def 書く(df, *args, **kwargs):', '    df.to_sql("顧客", warehouse())'),
      ),
      block(
        'only on weekdays',
        'conditional',
        [],
        text(
          '@condition',
          'def weekday(*args, **kwargs):',
          '    return kwargs["execution_date"].weekday() < 5',
        ),
      ),
      block('churn by month', 'chart', [], text('x = df.month', 'y = df.churn'), {
        configuration: { chart_type: 'line', x: 'month', y: 'churn' },
      }),
    ],
  },
  {
    uuid: 'meter_stream',
    name: 'meter stream',
    type: 'streaming',
    updated_at: '-1d',
    executor_count: 2,
    executor_type: 'k8s',
    description: 'Readings of smart meters, as they arrive.',
    executor_config: { resource_limits: { cpu: '500m', memory: '512Mi' } },
    run_script: { ends_as: 'never' },
    blocks: [
      block(
        'from topic',
        'data_loader',
        [],
        text('connector_type: topic', 'topic: readings', 'group: nordlicht'),
        {
          language: 'yaml',
        },
      ),
      block(
        'drop doubles',
        'transformer',
        ['from_topic'],
        text(
          '@transformer',
          'def once(messages, *args, **kwargs):',
          '    return list({m["id"]: m for m in messages}.values())',
        ),
      ),
      block(
        'to lake',
        'data_exporter',
        ['drop_doubles'],
        text('connector_type: parquet', 'path: /lake/readings'),
        {
          language: 'yaml',
        },
      ),
    ],
  },
  {
    uuid: 'crm_sync',
    name: 'CRM sync',
    type: 'integration',
    updated_at: '-12d',
    description: 'Accounts and contacts from the CRM, four times a day.',
    data_integration: {
      source: 'crm',
      destination: 'warehouse',
      catalog: { streams: ['accounts', 'contacts'] },
    },
    blocks: [
      block(
        'crm source',
        'data_loader',
        [],
        text('source: crm', 'streams: [accounts, contacts]', 'bookmark: changed_at'),
        {
          ...executed,
          language: 'yaml',
        },
      ),
      block(
        'warehouse destination',
        'data_exporter',
        ['crm_source'],
        text('destination: warehouse', 'schema: crm', 'mode: upsert'),
        { ...executed, language: 'yaml' },
      ),
    ],
  },
  {
    uuid: 'load_forecast',
    name: 'load-forecast',
    type: 'pyspark',
    updated_at: '-5d',
    description: "Tomorrow's load by the quarter of an hour, for the traders.",
    executor_count: 4,
    spark_config: { executor_memory: '4g', others: { 'spark.sql.shuffle.partitions': '64' } },
    run_script: { ends_as: 'completed', after: '12s' },
    blocks: [
      block(
        'weather',
        'data_loader',
        [],
        text(
          '@data_loader',
          'def weather(*args, **kwargs):',
          '    return spark.read.parquet("/lake/weather")',
        ),
        executed,
      ),
      block(
        'history',
        'data_loader',
        [],
        text(
          '@data_loader',
          'def history(*args, **kwargs):',
          '    return spark.table("mart.load").where("age < 730")',
        ),
        executed,
      ),
      block(
        'features',
        'transformer',
        ['weather', 'history'],
        text(
          '@transformer',
          'def features(weather, history, *args, **kwargs):',
          '    return history.join(weather, "quarter")',
        ),
        { status: 'failed' },
      ),
      block(
        'forecast',
        'custom',
        ['features'],
        text(
          '@custom',
          'def forecast(df, *args, **kwargs):',
          '    return model().predict(df, hours=kwargs["horizon"])',
        ),
        { color: 'teal', config: { horizon: '24h' }, executor_config: { cores: 8 } },
      ),
      block(
        'publish forecast',
        'data_exporter',
        ['forecast'],
        text('insert into trading.forecast', 'select quarter, megawatts from {{ df_1 }}'),
        sql('trading', 'forecast', 'replace', {}),
      ),
    ],
  },
  {
    uuid: 'grid_prices',
    name: 'grid prices',
    type: 'python',
    updated_at: '-30d',
    description: 'Spot prices of the grid, whenever a price file arrives.',
    blocks: [
      block('spot prices', 'global_data_product', [], '', executed),
      block(
        'check prices',
        'extension',
        ['spot_prices'],
        text('@extension', 'def check(prices):', '    assert prices.price.between(-500, 4000).all()'),
        { ...executed, extension_uuid: 'data_quality' },
      ),
      block(
        'store prices',
        'data_exporter',
        ['spot_prices'],
        text('select hour, price from {{ df_1 }}'),
        sql('grid', 'prices', 'append'),
      ),
    ],
  },
  {
    uuid: 'payments_import',
    name: 'payments import',
    type: 'integration',
    updated_at: '-16d',
    description: 'Bank statements into the ledger, every morning.',
    data_integration: { source: 'statements', destination: 'ledger', catalog: { streams: ['payments'] } },
    blocks: [
      block(
        'statements source',
        'data_loader',
        [],
        text('source: statements', 'format: camt053', 'streams: [payments]'),
        {
          ...executed,
          language: 'yaml',
        },
      ),
      block(
        'match payers',
        'transformer',
        ['statements_source'],
        text(
          '@transformer',
          'def match(payments, *args, **kwargs):',
          '    return payments.merge(contracts(), on="iban", how="left")',
        ),
        executed,
      ),
      block(
        'ledger destination',
        'data_exporter',
        ['match_payers'],
        text('destination: ledger', 'mode: append'),
        {
          ...executed,
          language: 'yaml',
        },
      ),
    ],
  },
  {
    uuid: 'dunning_letters',
    name: 'dunning letters',
    type: 'python',
    updated_at: '-20d',
    description: 'Reminds those who have not paid; started by the billing system.',
    blocks: [
      block(
        'find overdue',
        'data_loader',
        [],
        text(
          'select customer_id, sum(open_amount) as open',
          '  from billing.open_items',
          ' where due_on < current_date - 14',
          ' group by customer_id',
        ),
        sql('billing', 'overdue', 'replace'),
      ),
      block(
        'write letters',
        'transformer',
        ['find_overdue'],
        text(
          '@transformer',
          'def write(overdue, *args, **kwargs):',
          '    return overdue.apply(letter, axis=1, dry_run=kwargs["dry_run"])',
        ),
        executed,
      ),
      block(
        'send letters',
        'data_exporter',
        ['write_letters'],
        text(
          '@data_exporter',
          'def send(letters, *args, **kwargs):',
          '    post("https://letters.nordlicht.example/batch", letters)',
        ),
        { has_callback: true },
      ),
      block(
        'tell the desk',
        'callback',
        [],
        text(
          '@on_failure',
          'def tell(**kwargs):',
          '    notify("service-desk@nordlicht.example", kwargs["block_uuid"])',
        ),
      ),
    ],
  },
  {
    uuid: 'gdpr_cleanup',
    name: 'GDPR cleanup',
    type: 'python',
    description: 'Forgets those who asked to be forgotten.',
    updated_at: '-60d',
    blocks: [
      block(
        'find requests',
        'data_loader',
        [],
        text('select customer_id from privacy.requests where done_on is null'),
        sql('privacy', 'open_requests', 'replace', {}),
      ),
      block(
        'erase',
        'custom',
        ['find_requests'],
        text(
          '@custom',
          'def erase(requests, *args, **kwargs):',
          '    return [forget(customer) for customer in requests.customer_id]',
        ),
        { color: 'rose' },
      ),
    ],
  },
  {
    uuid: 'sandbox',
    name: 'sandbox',
    type: 'python',
    run_script: 'running for 3 reads, then failed',
    blocks: [
      block('try things', 'scratchpad', [], text('print("hello")')),
      block('look at it', 'chart', [], text('x = df.hour', 'y = df.price'), {
        configuration: { chart_type: 'bar chart', x: 'hour', y: 'price' },
      }),
    ],
  },
]

// ── Schedules ───────────────────────────────────────────────────────────────────────────────────────────────────────

const schedule = (id, pipeline_uuid, name, interval, created_at, more = {}) => ({
  id,
  pipeline_uuid,
  name,
  ...(interval === '@once' ? {} : { schedule_interval: interval }),
  created_at,
  token: `${id}${'5eed0c0ffee0badcafe0deadbeef0'.slice(0, 31 - String(id).length)}`.padEnd(32, '0'),
  ...more,
})
const active = { status: 'active' }
const pipeline_schedules = [
  schedule(1, 'daily_revenue', 'every night', '@daily', '-79d', {
    ...active,
    start_time: '-60d',
    tags: ['nightly', 'finance', 'critical'],
    sla: 7200,
    variables: { currency: 'EUR' },
    settings: { skip_if_previous_running: true, allow_blocks_to_fail: false },
  }),
  // The oldest: it is the one the banner's third curl line triggers.
  schedule(2, 'daily_revenue', 'by hand', '@once', '-90d', {
    ...active,
    schedule_type: 'api',
    tags: ['finance'],
  }),
  schedule(3, 'kundenübersicht', 'werktags', '0 6 * * 1-5', '-77d', { ...active, tags: ['service'] }),
  schedule(4, 'meter_stream', 'always', '@always_on', '-76d', { ...active, tags: ['critical', 'stream'] }),
  schedule(5, 'crm_sync', 'four times a day', '0 */6 * * *', '-75d', {
    ...active,
    tags: ['nightly', 'service'],
    settings: { skip_if_previous_running: true },
  }),
  schedule(6, 'load_forecast', 'every night', '30 2 * * *', '-74d', {
    ...active,
    start_time: '-70d',
    tags: ['nightly', 'grid'],
    sla: 5400,
    variables: { horizon: 24 },
    settings: { allow_blocks_to_fail: true },
  }),
  schedule(7, 'grid_prices', 'hourly', '@hourly', '-73d', { updated_at: '-13d', tags: ['grid'] }),
  schedule(8, 'grid_prices', 'price file arrived', '@once', '-72d', {
    ...active,
    schedule_type: 'event',
    tags: ['grid', 'critical'],
    event_matchers: [
      { event_type: 'file_created', name: 'price-file', pattern: { path: ['/lake/incoming/prices-*.csv'] } },
    ],
  }),
  schedule(9, 'gdpr_cleanup', 'monthly', '@monthly', '-71d', { updated_at: '-40d', tags: ['legal'] }),
  schedule(10, 'load_forecast', 'Backfill autumn forecast', '@once', '-50m'),
  schedule(11, 'payments_import', 'every morning', '@daily', '-64d', {
    ...active,
    tags: ['finance', 'critical'],
    variables: { bank: 'all' },
  }),
  schedule(12, 'dunning_letters', 'from billing', '@once', '-58d', {
    ...active,
    schedule_type: 'api',
    tags: ['finance', 'service'],
    variables: { dry_run: false },
  }),
  schedule(13, 'daily_revenue', 'Backfill revenue of last quarter', '@once', '-13d'),
  schedule(14, 'grid_prices', 'Backfill spot prices again', '@once', '-26h'),
  schedule(15, 'crm_sync', 'Backfill CRM since spring', '@once', '-9d'),
  schedule(16, 'payments_import', 'Backfill payments after the bad night', '@once', '-7.5d'),
]

// ── Backfills ───────────────────────────────────────────────────────────────────────────────────────────────────────

const every = (interval_units, interval_type, from, to) => ({
  start_datetime: from,
  end_datetime: to,
  interval_type,
  interval_units,
})
const backfills = [
  {
    id: 1,
    name: 'revenue of last quarter',
    pipeline_uuid: 'daily_revenue',
    pipeline_schedule_id: 13,
    status: 'completed',
    ...every(1, 'week', '-120d', '-30d'),
    created_at: '-13.1d',
    started_at: '-13d',
    completed_at: '-12.5d',
    updated_at: '-12.5d',
  },
  {
    id: 2,
    name: 'autumn forecast',
    pipeline_uuid: 'load_forecast',
    pipeline_schedule_id: 10,
    status: 'running',
    ...every(1, 'day', '-6d', '-2d'),
    variables: { horizon: 48 },
    created_at: '-1h',
    started_at: '-50m',
    updated_at: '-50m',
    due_at: '+25s',
  },
  {
    id: 3,
    name: 'spot prices again',
    pipeline_uuid: 'grid_prices',
    pipeline_schedule_id: 14,
    status: 'failed',
    ...every(6, 'hour', '-4d', '-2d'),
    created_at: '-26.5h',
    started_at: '-26h',
    failed_at: '-25h',
    updated_at: '-25h',
  },
  {
    id: 4,
    name: 'CRM since spring',
    pipeline_uuid: 'crm_sync',
    pipeline_schedule_id: 15,
    status: 'cancelled',
    ...every(2, 'week', '-200d', '-20d'),
    variables: { streams: ['accounts'] },
    created_at: '-9.2d',
    started_at: '-9d',
    updated_at: '-8.9d',
  },
  {
    id: 5,
    name: 'Kunden neu zählen',
    pipeline_uuid: 'kundenübersicht',
    status: 'initial',
    ...every(1, 'month', '-100d', 'now'),
    created_at: '-1m',
    due_at: '+30s',
  },
  { id: 6, name: 'not yet planned', pipeline_uuid: 'daily_revenue', created_at: '-10m' },
  {
    id: 7,
    name: 'payments after the bad night',
    pipeline_uuid: 'payments_import',
    pipeline_schedule_id: 16,
    status: 'completed',
    ...every(1, 'day', '-12d', '-8d'),
    created_at: '-7.5d',
    started_at: '-7.5d',
    completed_at: '-7.3d',
    updated_at: '-7.3d',
  },
  {
    id: 8,
    name: 'forget by month',
    pipeline_uuid: 'gdpr_cleanup',
    ...every(1, 'month', '-400d', '-35d'),
    variables: { dry_run: true },
    created_at: '-2d',
    updated_at: '-1.5h',
  },
]

// ── Runs and their logs ─────────────────────────────────────────────────────────────────────────────────────────────

const drafts = []
/** Notes a run by the minutes since it was started; `lasted` is absent while it is running. */
function addRun(scheduleId, ago, lasted, status, more = {}, log) {
  drafts.push({ scheduleId, ago, lasted, status, more, log })
}
const completed = (scheduleId, ago, lasted, more) => addRun(scheduleId, ago, lasted, 'completed', more)

/** What goes wrong: in which block, with what last lines. */
const warehouseIsDown = (failsIn) => ({
  failsIn,
  lines: [
    '    cursor = warehouse().cursor()',
    'ConnectionError: warehouse.nordlicht.example:5432 refused the connection',
  ],
})
const outOfMemory = {
  failsIn: 'features',
  lines: ['    history.join(weather, "quarter")', 'MemoryError: executor 3 was lost (4g of 4g used)'],
}
const noPrice = {
  failsIn: 'store_prices',
  lines: ['    cursor.execute(query)', 'UndefinedColumn: column "price" does not exist'],
}

for (let day = 14; day >= 1; day--) {
  const midnight = day * 1440
  // The ninth night was a bad one: the warehouse was away for hours, and all that writes to it failed.
  const bad = day === 9
  if (bad) addRun(1, midnight, 4, 'failed', {}, warehouseIsDown('load_invoices'))
  else if (day === 5) completed(1, midnight, 131, { passed_sla: true })
  else completed(1, midnight, between(29, 41))

  if (bad) addRun(6, midnight - 150, 21, 'failed', { variables: { horizon: 24 } }, warehouseIsDown('history'))
  else if (day === 2) addRun(6, midnight - 150, 33, 'failed', { variables: { horizon: 24 } }, outOfMemory)
  else completed(6, midnight - 150, between(46, 58), { variables: { horizon: 24 } })

  for (const hour of [0, 6, 12, 18]) {
    const ago = midnight - hour * 60
    if (bad && hour <= 6) addRun(5, ago, 1, 'failed', {}, warehouseIsDown('warehouse_destination'))
    else if (random() < 0.05) addRun(5, ago, 6, 'cancelled')
    else completed(5, ago, between(3, 6))
  }
  if (bad)
    addRun(11, midnight - 300, 2, 'failed', { variables: { bank: 'all' } }, warehouseIsDown('match_payers'))
  else completed(11, midnight - 300, between(7, 12), { variables: { bank: 'all' } })
  if (day % 7 > 1) completed(3, midnight - 360, between(9, 13))
  if (day % 2 === 0) completed(8, midnight - 700, 2, { event_variables: { file: `prices-${15 - day}.csv` } })
  if (day % 4 === 1) {
    const event_variables = { batch: 7100 + (14 - day) * 3, requested_by: 'billing' }
    completed(12, midnight - 560, between(5, 8), { variables: { dry_run: false }, event_variables })
  }
}
for (let hour = 0; hour < 12; hour++) completed(7, 13 * 1440 + 720 - hour * 60, 2)

// The morning after the bad night, and other times when someone started the revenue by hand.
const byHand = (ago, lasted, status, event_variables, log) =>
  addRun(2, ago, lasted, status, { event_variables }, log)
byHand(
  12_480,
  3,
  'failed',
  { reason: 'again after the outage', by: 'tomas' },
  warehouseIsDown('load_invoices'),
)
byHand(12_390, 36, 'completed', { reason: 'again after the outage', by: 'mira' })
byHand(6_990, 31, 'completed', { reason: 'corrected tariff 7', tariffs: ['N7', 'N7-night'] })
byHand(3_300, 2, 'cancelled', { reason: 'started by mistake', by: 'tomas' })
byHand(410, 33, 'completed', { reason: 'preview for finance', dry_run: true })

// The stream is cancelled when it is deployed anew.
addRun(4, 20_100, 10_000, 'cancelled')
addRun(4, 10_100, 8_300, 'cancelled')
addRun(4, 1_800, 1_710, 'cancelled')

const backfillRun = (backfill, scheduleId, ago, lasted, status, execution_date, more = {}, log) =>
  addRun(scheduleId, ago, lasted, status, { backfill_id: backfill, execution_date, ...more }, log)
for (let week = 0; week < 13; week++)
  backfillRun(1, 13, 13 * 1440 - week * 50, between(31, 44), 'completed', `-${120 - week * 7}d`)
for (let step = 0; step < 9; step++) {
  const fails = step === 5 || step === 6
  const log = fails ? noPrice : undefined
  backfillRun(3, 14, 1_560 - step * 6, 2, fails ? 'failed' : 'completed', `-${96 - step * 6}h`, {}, log)
}
for (let step = 0; step < 13; step++) {
  const variables = { streams: ['accounts'] }
  const isDone = step < 5
  const lasted = isDone ? between(16, 22) : 144 - step
  backfillRun(4, 15, 9 * 1440 - step, lasted, isDone ? 'completed' : 'cancelled', `-${200 - step * 14}d`, {
    variables,
  })
}
for (let day = 0; day < 5; day++)
  backfillRun(7, 16, 7.5 * 1440 - day * 55, between(8, 13), 'completed', `-${12 - day}d`)

const autumn = { variables: { horizon: 48 } }
for (const day of [6, 5, 4]) backfillRun(2, 10, 50, 13 + day, 'completed', `-${day}d`, autumn)
for (const day of [3, 2])
  backfillRun(2, 10, 50, undefined, 'running', `-${day}d`, { ...autumn, ends_at: '+25s' })
addRun(4, 90, undefined, 'running')
addRun(6, 2, undefined, 'running', { variables: { horizon: 24 }, ends_at: '+45s', ends_as: 'failed' })
addRun(2, 1, undefined, 'running', {
  event_variables: { reason: 'month end', dry_run: false },
  ends_at: '+20s',
})

/** A moment some minutes ago, in the unit that reads best. */
const minutesAgo = (minutes) => (minutes > 0 && minutes % 60 === 0 ? `-${minutes / 60}h` : `-${minutes}m`)
drafts.sort((one, other) => other.ago - one.ago)
const pipeline_runs = drafts.map(({ scheduleId, ago, lasted, status, more }, index) => ({
  id: index + 1,
  pipeline_schedule_id: scheduleId,
  pipeline_uuid: pipeline_schedules[scheduleId - 1].pipeline_uuid,
  status,
  created_at: minutesAgo(ago),
  ...(lasted === undefined ? {} : { completed_at: minutesAgo(ago - lasted) }),
  ...more,
}))

/** How far into a run a line was written. */
function elapsed(minutes) {
  const seconds = Math.round(minutes * 60)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
const done = {
  sensor: () => 'condition met',
  data_loader: (rows) => `loaded ${rows} rows`,
  transformer: (rows) => `${rows} rows out`,
  data_exporter: (rows) => `wrote ${rows} rows`,
  dbt: () => '1 model built, 4 tests passed',
  custom: (rows) => `${rows} rows out`,
  extension: () => 'all expectations met',
  global_data_product: () => 'still fresh, not run again',
  conditional: () => 'condition met',
}
const logs = []
function addLogs({ ago, lasted, status, log }, run) {
  const { id, pipeline_uuid, pipeline_schedule_id } = run
  const add = (block_uuid, minutes, lines) =>
    logs.push({
      pipeline_uuid,
      pipeline_run_id: id,
      ...(block_uuid === undefined ? {} : { block_uuid }),
      created_at: minutesAgo(Number((ago - minutes).toFixed(1))),
      content: text(...lines),
    })
  const line = (minutes, words) => `[${elapsed(minutes)}] ${words}`
  const { name } = pipeline_schedules[pipeline_schedule_id - 1]
  const summary = [line(0, `INFO run ${id} started by "${name}"`)]
  const own = pipelines.find(({ uuid }) => uuid === pipeline_uuid).blocks
  // What does not run leaves no file; what depends on a block that failed does not run.
  const runs = own.filter(({ type }) => Object.hasOwn(done, type))
  const last =
    log === undefined ? runs.length - 1 : runs.findIndex((each) => toUuid(each.name) === log.failsIn)
  const ran = status === 'cancelled' ? runs.slice(0, 1) : runs.slice(0, last + 1)
  const weights = ran.map(() => between(2, 9))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const parts = [
    0,
    ...weights.map(
      (_, index) => weights.slice(0, index + 1).reduce((sum, weight) => sum + weight, 0) / whole,
    ),
  ]
  let rows = between(900, 60_000)
  for (const [index, each] of ran.entries()) {
    const uuid = toUuid(each.name)
    const start = lasted * parts[index]
    const end = lasted * parts[index + 1]
    if (each.type === 'transformer') rows -= between(0, 90)
    if (log !== undefined && uuid === log.failsIn) {
      const [source, error] = log.lines
      add(uuid, end, [
        line(start, `INFO ${uuid} started`),
        line(end, `ERROR ${uuid} failed`),
        'Traceback (most recent call last):',
        each.language === undefined
          ? `  File "${each.type}s/${uuid}.py", line ${between(2, 4)}, in ${uuid}`
          : `  File "runner/${each.language}.py", line ${between(20, 90)}, in execute`,
        source,
        error,
      ])
      summary.push(line(end, `ERROR ${uuid}: ${error}`))
    } else if (status === 'cancelled') {
      add(uuid, end, [
        line(start, `INFO ${uuid} started`),
        line(end, `WARNING ${uuid} stopped: the run was cancelled`),
      ])
    } else {
      const isFirst = ran.findIndex(({ type }) => type === each.type) === index
      const outcome = done[each.type](each.type !== 'data_loader' || isFirst ? rows : between(40, 5_000))
      add(uuid, end, [line(start, `INFO ${uuid} started`), line(end, `INFO ${uuid}: ${outcome}`)])
      summary.push(line(end, `INFO ${uuid}: ${outcome}`))
    }
  }
  summary.push(line(lasted, `${status === 'failed' ? 'ERROR' : 'INFO'} run ${id} ${status}`))
  add(undefined, lasted, summary)
}
for (const [index, draft] of drafts.entries()) {
  const { ago, lasted, status, log } = draft
  const isRecent = ago <= 2_600 && !(draft.scheduleId === 14 && status === 'completed')
  if (lasted !== undefined && (isRecent || log !== undefined)) addLogs(draft, pipeline_runs[index])
}

// ── The file ────────────────────────────────────────────────────────────────────────────────────────────────────────

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
