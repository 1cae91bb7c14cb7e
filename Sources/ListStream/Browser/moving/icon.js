// Pictures of lines, in the colour of the text.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Draws a picture.
 * @param {string} path its lines, as the `d` of an SVG path in a box of 24 by 24
 */
export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}
