import fc from 'fast-check'
import { apiKey, pick, rarely, text, toField, worldNames } from './texts.ts'

const header = fc.oneof(
  fc.tuple(fc.constant('X-Understudy-World'), worldNames),
  fc.tuple(fc.constant('X-API-KEY'), apiKey),
  fc.tuple(
    pick('Content-Type', 'content-TYPE'),
    pick(
      'application/json', 'application/json; charset=utf-8', 'text/plain',
      'application/x-www-form-urlencoded', 'multipart/form-data', 'application/', '/', ';', '',
      'a/b+json', 'application/json, text/html',
    ),
  ),
  fc.tuple(
    pick('OAUTH-TOKEN', 'Authorization', 'Cookie'),
    pick(
      'mira-laptop', 'Bearer mira-laptop', 'Bearer', 'bearer  ', 'Bearer a.b.c', 'Basic eDp5',
      'oauth_token=a.b.c', 'oauth_token=', 'oauth_token=eyJhbGciOiJub25lIn0.e30.', ';;;=;', '__proto__',
    ),
  ),
  fc.tuple(
    pick(
      'Origin', 'Accept', 'Accept-Encoding', 'If-None-Match', 'Range', 'Referer', 'X-Forwarded-For',
      'X-HTTP-Method-Override', 'Access-Control-Request-Headers', 'Access-Control-Request-Method',
      'Forwarded', 'Via', 'User-Agent', 'If-Modified-Since', 'Upgrade', 'X-Long', '__proto__',
      'constructor',
    ),
    fc.oneof(
      text,
      pick(
        'null', 'https://page.example', '*', 'bytes=0-1,-1', '"x"', 'DELETE', 'h2c', 'websocket',
        'gzip;q=0',
      ),
    ),
  ),
  fc.tuple(pick('Connection'), pick('close', 'keep-alive', 'upgrade', 'x, y')),
) // biome-ignore format: a list
export const headers = fc
  .tuple(fc.array(header, { maxLength: 4 }), rarely(fc.constant(0), fc.nat(3_000), 100))
  .map(([list, padding]) => [
    ...list.map(([name, value]) => [name, toField(value)] as const),
    ...(padding > 0 ? [['X-Padding', 'p'.repeat(padding)] as const] : []),
  ])
