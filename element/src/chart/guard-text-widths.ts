import LRU from 'zrender/lib/core/LRU.js';

let isGuarded = false;

/**
 * Guards the widths of texts that ECharts keeps. They are in an object with a prototype: a text such as `constructor` reads a
 * function from it, and from then on no chart of the page, or of the server, could be drawn.
 */
export function guardTextWidths(): void {
  if (isGuarded) return;
  isGuarded = true;
  const { get } = LRU.prototype;
  LRU.prototype.get = function (key) {
    return key in Object.prototype ? undefined : get.call(this, key);
  };
}
