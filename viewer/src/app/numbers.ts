/** Numbers for people: few digits, true minus signs, powers of ten as they are written by hand. */

const superscripts: Record<string, string> = {
  '-': '⁻',
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
};

const withMinus = (text: string): string => text.replace('-', '−');

/** At most `digits` significant digits; a power of ten outside 10⁻³ … 10⁶. */
export function formatNumber(value: number, digits = 4): string {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e6) return withMinus(String(Number(value.toPrecision(digits))));
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  const power = [...exponent.replace('+', '')].map((sign) => superscripts[sign]).join('');
  const short = withMinus(String(Number(mantissa)));
  if (short === '1') return `10${power}`;
  if (short === '−1') return `−10${power}`;
  return `${short}·10${power}`;
}

/** Numbers in a text as programs read them: −1.5·10⁻⁶ is -1.5e-6. */
export function plainNumbers(text: string): string {
  const digitOf = new Map(Object.entries(superscripts).map(([digit, raised]) => [raised, digit]));
  return text
    .replace(/(?<![\d·])10(?=[⁻⁰¹²³⁴-⁹])/g, '1·10')
    .replace(/·10([⁻⁰¹²³⁴-⁹]+)/g, (_, power: string) => `e${[...power].map((sign) => digitOf.get(sign)).join('')}`)
    .replace(/−/g, '-');
}

/** The size of an error: one digit is enough. */
export function formatTiny(value: number): string {
  return formatNumber(value, 1);
}

export function formatSigned(value: number, digits = 3): string {
  const text = formatNumber(value, digits);
  return value > 0 ? `+${text}` : text;
}

/** Decimals that resolve a film of this length to a millionth of it, and a second to a tenth of a millisecond. */
export function timeDecimals(duration: number): number {
  if (!(duration > 0)) return 4;
  return Math.min(Math.max(5 - Math.floor(Math.log10(duration)), 4), 12);
}

export function formatTime(time: number, duration: number): string {
  return withMinus(time.toFixed(timeDecimals(duration)));
}

/** As many decimals as tell this one of rising times from its neighbours; several events of one instant stay alike. */
export function formatEventTime(times: Float64Array, event: number, duration: number): string {
  const time = times[event];
  const others = [times[event - 1], times[event + 1]].filter((other) => other !== undefined && other !== time);
  let decimals = timeDecimals(duration);
  while (decimals < 12 && others.some((other) => other.toFixed(decimals) === time.toFixed(decimals))) ++decimals;
  return withMinus(time.toFixed(decimals));
}

/** To a hundredth of a span. */
export function formatTimeWithin(time: number, span: number): string {
  const decimals = span > 0 ? Math.min(Math.max(2 - Math.floor(Math.log10(span)), 4), 12) : 4;
  return withMinus(String(Number(time.toFixed(decimals))));
}

/** All the digits that matter, without the rounding of binary numbers. */
export function formatTimeExactly(time: number): string {
  return withMinus(String(Number(time.toPrecision(14))));
}

/** `3 %`, `0.02 %`. */
export function formatPercent(share: number): string {
  return `${formatNumber(100 * share, 2)} %`;
}

export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ' ');
}
