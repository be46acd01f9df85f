/** The introduction that a client gives its model before any tool is called. */
export const INSTRUCTIONS = `This server answers typed questions about business data. You never write SQL or MDX.

1. list_semantic_models and list_cubes say what can be asked; take the one whose description fits the question.
2. describe_semantic_model or describe_cube gives an index of names, synonyms and examples; name parts to get their details. Begin from an example and change its names.
3. For a filter value that the description does not show, search_field_values or search_members finds how it is written.
4. run_semantic_query or run_query answers. An error names the place in the request (field) and the legal values (available, nearest first): change that place and call again.
5. row_detail and drillthrough show the rows behind an answer, find_anomalies and forecast look along a time axis, run_document answers a saved query, show_answer shows a chart to the user. Further rows of a long answer: get_rows.

Cells of small groups are masked (suppressed: true) and must not be guessed. Numbers come with a formatted text: quote that.`;
