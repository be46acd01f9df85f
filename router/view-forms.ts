/** Lists the forms in which an answer is shown, in the order of menus. */
export const VIEW_FORMS = ['table', 'matrix', 'chart', 'kpi'] as const;

export type ViewForm = (typeof VIEW_FORMS)[number];
