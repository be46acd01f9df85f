/** Contains the state of the overview: the region selected in the chart, and the element's events. */
import type { EmbedFilter, ServiceEmbedEventMap } from 'service-embed';
import type { ServiceEmbedInstance } from 'service-embed/vue';
import { computed, ref, shallowRef } from 'vue';
import { save } from '../../desk/save.ts';

const REGION = 'stores.region';

export function useDesk() {
  const region = ref<string>();
  const asOf = shallowRef<Date>();
  const stores = shallowRef<ServiceEmbedInstance>();
  const filter = computed<EmbedFilter | undefined>(() =>
    region.value === undefined ? undefined : { [REGION]: [region.value] },
  );
  return {
    region,
    asOf,
    stores,
    filter,
    choose({ detail }: ServiceEmbedEventMap['service-select']): void {
      region.value = detail.record[REGION] ?? undefined;
    },
    loaded({ detail }: ServiceEmbedEventMap['service-load']): void {
      asOf.value = detail.asOf;
    },
    async download(): Promise<void> {
      const csv = await stores.value?.element?.exportCsv();
      if (csv !== undefined) save(csv, 'stores.csv');
    },
  };
}
