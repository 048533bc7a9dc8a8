/** What is said of attributes that are kept and never presented; apart from their schemas, so that no page pays for it. */
export const keptNotes: Readonly<Record<string, string>> = {
  run_script:
    'How runs go: a text such as `running for 3 reads, then failed`, `initial for 1 read, then running for 20s` or ' +
    '`running until advanced`; or the status they end with (`never`: they stay running) and after how long.',
  reads_left: 'How many reads the present step of a run still lasts for.',
  next_steps: 'What a run still has before it; `run_script` writes it.',
  ends_as: 'How a run ends at `ends_at` that has no `next_steps`.',
}
