/** Shows the element by its component for React: typed properties and events, methods by a ref. */
import { useRef, useState } from 'react';
import type { EmbedFilter, ServiceEmbed as ServiceEmbedElement, ServiceEmbedEventMap } from 'service-embed';
import { ServiceEmbed } from 'service-embed/react';
import { getToken, server } from '../../desk/backend.ts';
import { save } from '../../desk/save.ts';
import type { Theme } from '../../desk/theme.ts';

const CATEGORY = 'products.category';
const FIGURES = [
  ['net_sales', 'Net sales 2025'],
  ['order_count', 'Orders'],
  ['average_order_value', 'Average order'],
  ['margin_rate', 'Margin rate'],
] as const;

export function Overview({ theme }: { readonly theme: Theme }) {
  const [category, setCategory] = useState<string>();
  const [asOf, setAsOf] = useState<Date>();
  const products = useRef<ServiceEmbedElement>(null);
  const filter: EmbedFilter | undefined = category === undefined ? undefined : { [CATEGORY]: [category] };

  const choose = ({ detail }: ServiceEmbedEventMap['service-select']) =>
    setCategory(detail.record[CATEGORY] ?? undefined);
  const download = async () => {
    const csv = await products.current?.exportCsv();
    if (csv !== undefined) save(csv, 'products.csv');
  };

  return (
    <>
      <div className="lead">
        <h1>Category desk</h1>
        <p>Sales and margins by category, 2025.</p>
      </div>
      <dl className="figures">
        {FIGURES.map(([measure, title]) => (
          <div key={measure}>
            <dt>{title}</dt>
            <dd>
              <ServiceEmbed
                server={server}
                path="shared/demo/key-figures.service"
                render="kpi"
                measure={measure}
                height="96px"
                theme={theme}
                getToken={getToken}
              />
            </dd>
          </div>
        ))}
      </dl>
      <div className="split">
        <section className="card">
          <header>
            <h2>Categories</h2>
            <p>Choose a bar to see its products.</p>
          </header>
          <ServiceEmbed
            server={server}
            path="shared/demo/sales-by-category.service"
            render="chart"
            height="380px"
            theme={theme}
            getToken={getToken}
            onServiceLoad={({ detail }) => setAsOf(detail.asOf)}
            onServiceSelect={choose}
          />
        </section>
        <section className="card">
          <header>
            <h2>Best sellers</h2>
            {category !== undefined && (
              <button className="chip" type="button" onClick={() => setCategory(undefined)}>
                {category} <span aria-hidden="true">×</span>
              </button>
            )}
            <button className="quiet" type="button" onClick={download}>
              Download
            </button>
          </header>
          <ServiceEmbed
            ref={products}
            server={server}
            path="shared/demo/top-products.service"
            height="380px"
            theme={theme}
            filter={filter}
            getToken={getToken}
          >
            <p slot="empty">None of {category} is among the best sellers.</p>
          </ServiceEmbed>
        </section>
      </div>
      <section className="card">
        <header>
          <h2>Margin of Lighting</h2>
          <p>Its supplier raised the prices in July 2025.</p>
        </header>
        <ServiceEmbed
          server={server}
          path="shared/demo/lighting-margin.service"
          render="chart"
          mode="line"
          height="300px"
          theme={theme}
          getToken={getToken}
        />
      </section>
      <p className="as-of">{asOf === undefined ? '\u00a0' : `Figures of ${asOf.toLocaleTimeString('en')}.`}</p>
    </>
  );
}
