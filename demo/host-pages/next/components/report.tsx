'use client';

import { useEffect, useRef, useState } from 'react';
import type { EmbedFilter, GetToken, ServiceEmbedEventMap } from 'service-embed';
import { ServiceEmbed } from 'service-embed/react';

const REGION = 'stores.region';

const getToken: GetToken = async ({ kind, path }) => {
  const response = await fetch(`/embed-token?${new URLSearchParams({ kind, path })}`);
  if (!response.ok) throw new Error(`The backend has no token: ${response.status}`);
  return response.json();
};

/** Shows the chart that the server painted, and the stores of the region that is chosen in it. */
export function Report({ server, painted }: { readonly server: string; readonly painted: string }) {
  const [region, setRegion] = useState<string>();
  const chart = useRef<HTMLDivElement>(null);
  const filter: EmbedFilter | undefined = region === undefined ? undefined : { [REGION]: [region] };

  useEffect(() => {
    const place = chart.current;
    const element = place?.querySelector('service-embed');
    if (!place || !element) return;
    const choose = ({ detail }: ServiceEmbedEventMap['service-select']) =>
      setRegion(detail.record[REGION] ?? undefined);
    element.addEventListener('service-select', choose);
    // Before the element is defined, so that its first read already has a token.
    Object.assign(element, { getToken });
    void import('service-embed');
    return () => element.removeEventListener('service-select', choose);
  }, []);

  return (
    <div className="split">
      <section className="card">
        <header>
          <h2>Regions</h2>
          <p>Choose one to see its stores.</p>
        </header>
        {/* The server wrote this HTML itself, with all texts escaped. */}
        <div ref={chart} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: painted }} />
      </section>
      <section className="card">
        <header>
          <h2>Stores</h2>
          {region !== undefined && (
            <button className="chip" type="button" onClick={() => setRegion(undefined)}>
              {region} <span aria-hidden="true">×</span>
            </button>
          )}
        </header>
        <ServiceEmbed
          server={server}
          path="shared/demo/all-stores.service"
          height="380px"
          filter={filter}
          getToken={getToken}
        />
      </section>
    </div>
  );
}
