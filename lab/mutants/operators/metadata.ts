import { type Operator, sentence, without } from '../mutant.ts'
import { everyList, metadataSentence, metadataStrikes, nextSentence } from './list-strikes.ts'

/** What goes wrong with the metadata of lists. */
export const metadataOperators: readonly Operator[] = [
  {
    name: 'next-always-false',
    does: 'says that there is no further page',
    strikes: metadataStrikes('next', nextSentence, (metadata) => ({ ...metadata, next: false }), [
      'listBackfills',
      'listOauthAccessTokens',
    ]),
  },
  {
    name: 'next-always-true',
    does: 'says that there is a further page',
    strikes: metadataStrikes('next', nextSentence, (metadata) => ({ ...metadata, next: true })),
  },
  {
    name: 'next-true-when-full',
    does: 'says that there is a further page where a page is full',
    strikes: metadataStrikes(
      'next',
      nextSentence,
      (metadata, { records, heard }) => ({
        ...metadata,
        next: records.length === Number(heard.query.get('_limit') ?? -1),
      }),
      ['listBackfills', 'listOauthAccessTokens'],
    ),
  },
  {
    name: 'next-without-offset',
    does: 'works next out as if there were no offset',
    strikes: metadataStrikes(
      'next',
      nextSentence,
      (metadata, { heard, total }) => ({
        ...metadata,
        next: heard.query.has('_limit') && Number(heard.query.get('_limit')) < total,
      }),
      ['listBackfills', 'listOauthAccessTokens'],
    ),
  },
  {
    name: 'next-of-one-too-many',
    does: 'says that there is no further page where one item is left',
    strikes: metadataStrikes(
      'next',
      nextSentence,
      (metadata, { heard, records, total }) => ({
        ...metadata,
        next: Number(heard.query.get('_offset') ?? 0) + records.length + 1 < total,
      }),
      ['listBackfills', 'listOauthAccessTokens'],
    ),
  },
  {
    name: 'next-as-number',
    does: 'gives next as 0 or 1',
    strikes: metadataStrikes('next', sentence('List metadata', 'boolean'), (metadata) => ({
      ...metadata,
      next: Number(metadata.next),
    })),
  },
  {
    name: 'next-as-text',
    does: 'gives next as a string',
    strikes: metadataStrikes('next', sentence('List metadata', 'boolean'), (metadata) => ({
      ...metadata,
      next: String(metadata.next),
    })),
  },
  {
    name: 'next-absent-when-false',
    does: 'leaves next out where it is false',
    strikes: metadataStrikes('next', nextSentence, (metadata) =>
      metadata.next === false ? without(metadata, 'next') : metadata,
    ),
  },
  {
    name: 'next-null-when-false',
    does: 'gives null for next where it is false',
    strikes: metadataStrikes('next', nextSentence, (metadata) =>
      metadata.next === false ? { ...metadata, next: null } : metadata,
    ),
  },
  {
    name: 'count-as-text',
    does: 'gives count as a string',
    strikes: metadataStrikes('count', sentence('List metadata', '`count`'), (metadata) => ({
      ...metadata,
      count: String(metadata.count),
    })),
  },
  {
    name: 'count-null',
    does: 'gives null for count',
    strikes: metadataStrikes('count', sentence('List metadata', '`count`'), (metadata) => ({
      ...metadata,
      count: null,
    })),
  },
  {
    name: 'count-absent-when-empty',
    does: 'leaves count out where the list is empty',
    strikes: metadataStrikes('count', sentence('List metadata', '`count`'), (metadata, { records }) =>
      records.length === 0 ? without(metadata, 'count') : metadata,
    ),
  },
  {
    name: 'count-with-fraction',
    does: 'gives a count that is no integer',
    strikes: metadataStrikes('count', sentence('List metadata', '`count`'), (metadata) => ({
      ...metadata,
      count: Number(metadata.count) / 2 + 0.25,
    })),
  },
  {
    name: 'metadata-absent',
    does: 'leaves the metadata of a list out',
    strikes: metadataStrikes('metadata', metadataSentence, () => undefined, [...everyList, 'listLogs']),
  },
  {
    name: 'metadata-null',
    does: 'gives null for the metadata of a list',
    strikes: metadataStrikes('metadata', metadataSentence, () => null, [...everyList, 'listLogs']),
  },
  {
    name: 'metadata-array',
    does: 'gives an array for the metadata of a list',
    strikes: metadataStrikes('metadata', metadataSentence, (metadata) => [metadata], [
      ...everyList,
      'listLogs',
    ]),
  },
  {
    name: 'metadata-not-empty',
    does: 'gives metadata to the logs',
    strikes: metadataStrikes(
      'metadata',
      sentence('List metadata', 'empty `metadata` object'),
      () => ({ count: 1, next: false }),
      ['listLogs'],
    ),
  },
]
