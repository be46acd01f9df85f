import { useData } from 'vitepress';
import { defineComponent, h, onMounted, ref, watch } from 'vue';

/** Draws the diagram of a `mermaid` block. The library is loaded on pages with a diagram only. */
export const MermaidDiagram = defineComponent({
  props: { source: { type: String, required: true } },
  setup({ source }) {
    const { isDark } = useData();
    const text = decodeURIComponent(source);
    const svg = ref<string>();
    let drawn = 0;
    const draw = async (): Promise<void> => {
      const { default: mermaid } = await import('mermaid');
      // Labels are SVG text: the site's styles of paragraphs would make HTML labels higher than their boxes.
      mermaid.initialize({
        startOnLoad: false,
        htmlLabels: false,
        flowchart: { wrappingWidth: 260 },
        theme: isDark.value ? 'dark' : 'neutral',
      });
      drawn += 1;
      svg.value = (await mermaid.render(`diagram-${Math.random().toString(36).slice(2)}-${drawn}`, text)).svg;
    };
    onMounted(draw);
    watch(isDark, draw);
    // Without JavaScript, and until the library is here, the page shows the text of the diagram.
    return () => (svg.value === undefined ? h('pre', text) : h('div', { innerHTML: svg.value }));
  },
});
