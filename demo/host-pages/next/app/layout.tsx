import type { ReactNode } from 'react';
import '../../desk/desk.css';

export const metadata = { title: 'Region report · Marlow & Finch', icons: { icon: '/mark.svg' } };

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
