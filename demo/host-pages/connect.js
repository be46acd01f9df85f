/**
 * Points every <service-embed> of the page at the server that the address names (`?server=http://localhost:8080`)
 * and loads the element from there. A page that knows its server writes this instead:
 *
 *   <script src="https://analytics.example.com/ui/service-embed.js"></script>
 *   <service-embed server="https://analytics.example.com" path="shared/demo/sales-by-region.service"></service-embed>
 */
(() => {
  const address = new URLSearchParams(location.search).get('server') ?? 'http://localhost:8080';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // With the path that a proxy serves it below, where there is one.
  const server = /^https?:$/.test(url?.protocol) ? url.origin + url.pathname.replace(/\/+$/, '') : undefined;

  const say = (text) => {
    for (const place of document.querySelectorAll('[data-server-status]')) place.textContent = text;
  };
  for (const link of document.querySelectorAll('a[data-keep-server]')) link.search = location.search;
  if (server === undefined) {
    say(`“${address}” is not the address of a server`);
    return;
  }

  for (const embed of document.querySelectorAll('service-embed')) embed.setAttribute('server', server);
  const script = document.createElement('script');
  script.src = `${server}/ui/service-embed.js`;
  script.onload = () => say(`Live from ${server}`);
  script.onerror = () => say(`No answer from ${server}`);
  document.head.append(script);
})();
