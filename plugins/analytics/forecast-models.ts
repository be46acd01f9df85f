/**
 * The models that forecasts are combined from: one table, from which the schema of the answer and the documentation are
 * made.
 */
import type { ForecastMethod } from './methods.ts';

interface ForecastModelEntry {
  /** The methods that combine it. */
  readonly methods: readonly ForecastMethod[];
  readonly source: string;
  /** The series that it is a candidate for. */
  readonly applies: string;
}

const ALL_METHODS: readonly ForecastMethod[] = ['ets', 'arima', 'prophet'];
const WITH_ARIMA: readonly ForecastMethod[] = ['arima', 'ets'];
const INTERMITTENT = 'never negative, no season, on average more than 1.32 periods from one demand to the next';
const SHORT = 'without a season, up to 10 values';

export const FORECAST_MODELS = {
  smoothing: {
    methods: ['ets'],
    source: 'Hyndman, Koehler, Ord and Snyder (2008), form by AICc',
    applies: 'no season, or one of up to 24 points; of up to 10 values, also without a trend',
  },
  decomposed_smoothing: {
    methods: ['ets'],
    source: 'Bandara, Hyndman and Bergmeir (2021): MSTL, then exponential smoothing',
    applies: 'with a season',
  },
  seasonal_smoothing: {
    methods: ['ets'],
    source: 'Taylor (2003): several additive seasons, errors that linger',
    applies: 'several seasons, or one of more than 24 points',
  },
  theta: {
    methods: ['ets'],
    source: 'Fiorucci, Pellegrini, Louzada, Petropoulos and Koehler (2016), dynamic and optimised',
    applies: 'every series of 4 values or more, without its seasons',
  },
  ces: {
    methods: ['ets'],
    source: 'Svetunkov, Kourentzes and Ord (2022): complex exponential smoothing',
    applies: 'every series of 12 values or more, without its seasons',
  },
  drift: { methods: ['ets'], source: 'Hyndman and Athanasopoulos (2021), section 5.2', applies: SHORT },
  croston: { methods: ['ets'], source: 'Croston (1972)', applies: INTERMITTENT },
  sba: { methods: ['ets'], source: 'Syntetos and Boylan (2005)', applies: INTERMITTENT },
  optimised_croston: { methods: ['ets'], source: 'Croston (1972), parameters by least squares', applies: INTERMITTENT },
  tsb: { methods: ['ets'], source: 'Teunter, Syntetos and Babai (2011)', applies: INTERMITTENT },
  imapa: { methods: ['ets'], source: 'Petropoulos and Kourentzes (2015)', applies: INTERMITTENT },
  sarima: {
    methods: WITH_ARIMA,
    source: 'Hyndman and Khandakar (2008), order by a stepwise search',
    applies: 'up to 400 values, with no season or one of up to 12 points',
  },
  decomposed_sarima: {
    methods: WITH_ARIMA,
    source: 'MSTL, then ARIMA: Hyndman and Athanasopoulos (2021), section 5.7',
    applies: 'up to 400 values with a longer season, or several',
  },
  autoregression: {
    methods: WITH_ARIMA,
    source: 'Taylor (2010): lags of the multiplicative form',
    applies: 'more values, or a longer season, or several',
  },
  harmonic_autoregression: {
    methods: WITH_ARIMA,
    source: 'Hyndman and Athanasopoulos (2021), section 10.5: waves, then an autoregression',
    applies: 'instead of the former, if a season has more than 8 cycles of the shortest one',
  },
  prophet: {
    methods: ['prophet', 'ets'],
    source: 'Taylor and Letham (2018), Triebe and others (2021)',
    applies:
      'by `prophet`, every series of 10 values or more; by `ets`, with a season of more than 24 points and no other',
  },
  short: {
    methods: ALL_METHODS,
    source: 'Hyndman and Athanasopoulos (2021), section 5.2: the last value, or its drift',
    applies: 'from 3 values up to the fewest of the method; `reason` is `too_short`',
  },
  constant: {
    methods: ALL_METHODS,
    source: 'the value itself',
    applies: '3 values or more, all the same; `reason` is `constant`',
  },
} as const satisfies Record<string, ForecastModelEntry>;

export type ForecastModel = keyof typeof FORECAST_MODELS;
