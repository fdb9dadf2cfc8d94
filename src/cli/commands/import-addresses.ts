// The old addresses of imported contents, for a proxy that redirects them.

import { type OldAddressTarget, pathOfTarget } from '../../community/old-address.ts';
import { inPieces } from '../../lib/pieces.ts';
import { command } from '../command.ts';
import { withPortico } from '../portico.ts';

interface Pair {
  from: string;
  to: string;
}

const AT_A_TIME = 1000;
const FORMATS = ['csv', 'nginx'] as const;

/** Lists every old address with the path of its page. */
export const importAddresses = command({
  name: 'import addresses',
  summary: 'list the old addresses of imported contents, with the paths that they have now',
  details:
    'The server redirects these addresses itself. A proxy needs the list only if the old host name leads elsewhere.',
  options: {
    format: {
      kind: 'text',
      value: 'FORMAT',
      summary: 'the format of the list, csv if left out; --json is the third',
      choices: FORMATS,
    },
  },
  async run({ format }, context) {
    return withPortico(context, async ({ community, config }) => {
      const pairs: Pair[] = [];
      const targets = inPieces(AT_A_TIME, (last: OldAddressTarget | undefined) =>
        community.reads.oldAddresses(last?.address ?? '', AT_A_TIME),
      );
      for await (const target of targets) {
        const to = pathOfTarget(target);
        if (to !== undefined) pairs.push({ from: target.address, to });
      }
      const text = format === 'nginx' ? nginxMap(pairs, config.baseUrl) : csv(pairs);
      return { json: { addresses: pairs }, text };
    });
  },
});

function csv(pairs: readonly Pair[]): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return ['"from","to"', ...pairs.map(({ from, to }) => `${quoted(from)},${quoted(to)}`)].join('\n');
}

// nginx compares the strings of a map without regard to case.
function nginxMap(pairs: readonly Pair[], baseUrl: string): string {
  const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  return [
    '# In the block http: include this file. In the block server:',
    `#   if ($portico_path) { return 301 ${baseUrl}$portico_path; }`,
    // An address has up to 500 characters of four bytes.
    'map_hash_bucket_size 2048;',
    'map "$uri$is_args$args" $old_address {',
    '  default "$uri$is_args$args";',
    String.raw`  "~^/t/(?:(?!\d+(?:/|$))[^/]+/)?(?<topic>\d+)(?<rest>/\d+)?/?$" "/t/$topic$rest";`,
    String.raw`  "~^/c/(?:[^/]+/)*(?<category>\d+)/?$" "/c/$category";`,
    '  "~^(?<path>/[^?]+)/$" "$path";',
    '}',
    'map $old_address $portico_path {',
    '  default "";',
    ...pairs.map(({ from, to }) => `  ${quoted(from)} ${quoted(to)};`),
    '}',
  ].join('\n');
}
