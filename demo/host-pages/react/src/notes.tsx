export function Notes() {
  return (
    <>
      <div className="lead">
        <h1>Notes</h1>
        <p>Notes on the figures.</p>
      </div>
      <ul className="notes">
        <li>A supplier raised its prices for Lighting in July 2025; list prices stayed as they were.</li>
        <li>Garden was out of stock in the South at the end of June 2025: a container came late.</li>
        <li>All figures are net of discounts, in EUR.</li>
      </ul>
    </>
  );
}
