/** The chain's products: eight categories of four subcategories, each with five products in five finishes. */
export interface Category {
  readonly name: string;
  /** Pieces sold relative to the other categories. */
  readonly weight: number;
  /** Demand in each month relative to the category's yearly mean. */
  readonly season: readonly number[];
  /** Sales by store format, in the order of `STORE_FORMATS`. */
  readonly formats: readonly [number, number, number];
  /** Cost as a share of the list price. */
  readonly cost: number;
  readonly brands: readonly string[];
  /** Maps a subcategory to `product price, …` and `finish, …`. Prices in EUR. */
  readonly subcategories: Readonly<Record<string, { readonly things: string; readonly finishes: string }>>;
}

export const CATALOG: readonly Category[] = [
  {
    name: 'Kitchen',
    weight: 1.15,
    season: [0.95, 0.92, 0.95, 0.95, 0.95, 0.92, 0.9, 0.92, 1, 1.05, 1.15, 1.34],
    formats: [1.1, 1, 0.9],
    cost: 0.52,
    brands: ['Ember & Oak', 'Northpan', 'Tavola Nove', 'Brasserie 12', 'Linden Works'],
    subcategories: {
      Cookware: {
        things: 'Frying Pan 39, Saucepan 45, Casserole 79, Wok 42, Roasting Tin 34',
        finishes: 'Cast Iron, Stainless Steel, Ceramic, Copper, Carbon Steel',
      },
      Tableware: {
        things: 'Dinner Plate 12, Serving Bowl 24, Mug 9, Espresso Cup 8, Platter 29',
        finishes: 'Stoneware, Porcelain, Speckled, Indigo Glaze, Matt White',
      },
      Glassware: {
        things: 'Wine Glass 11, Tumbler 7, Carafe 27, Beer Glass 9, Champagne Coupe 14',
        finishes: 'Clear, Smoked, Ribbed, Hand-Blown, Recycled',
      },
      Utensils: {
        things: 'Chef’s Knife 58, Ladle 14, Chopping Board 32, Whisk 12, Peeler 8',
        finishes: 'Olive Wood, Beech, Walnut, Brushed Steel, Black',
      },
    },
  },
  {
    name: 'Home Textiles',
    weight: 1,
    season: [1.2, 1.05, 0.98, 0.95, 0.9, 0.85, 0.85, 0.92, 1.02, 1.1, 1.1, 1.08],
    formats: [1.1, 1, 0.75],
    cost: 0.46,
    brands: ['Hemsö Weavers', 'Marlowe Linen', 'Cotone Chiaro', 'Fold & Thread', 'Vellamo'],
    subcategories: {
      Bedding: {
        things: 'Duvet Cover 69, Pillowcase 16, Fitted Sheet 34, Bedspread 95, Pillow 39',
        finishes: 'Linen, Percale, Sateen, Flannel, Jersey',
      },
      Bath: {
        things: 'Bath Towel 22, Hand Towel 12, Bath Mat 25, Bathrobe 59, Face Cloth 6',
        finishes: 'Waffle, Terry, Organic Cotton, Bamboo, Striped',
      },
      'Throws & Cushions': {
        things: 'Throw 49, Cushion 24, Floor Cushion 45, Lumbar Cushion 27, Pouf 89',
        finishes: 'Lambswool, Bouclé, Velvet, Herringbone, Chunky Knit',
      },
      'Table Linen': {
        things: 'Tablecloth 45, Napkin 7, Table Runner 26, Placemat 9, Tea Towel 8',
        finishes: 'Washed Linen, Jacquard, Checked, Chambray, Embroidered',
      },
    },
  },
  {
    name: 'Lighting',
    weight: 0.5,
    season: [1.1, 1, 0.95, 0.85, 0.78, 0.75, 0.8, 0.92, 1.08, 1.2, 1.3, 1.27],
    formats: [1.2, 1, 0.5],
    cost: 0.5,
    brands: ['Halden', 'Lumière Basse', 'Kantor', 'Nordlys Studio', 'Officina Luce'],
    subcategories: {
      'Table Lamps': {
        things: 'Table Lamp 64, Desk Lamp 55, Bedside Lamp 42, Reading Lamp 49, Portable Lamp 38',
        finishes: 'Brass, Opal Glass, Terracotta, Chrome, Rattan',
      },
      'Ceiling Lights': {
        things: 'Pendant 89, Chandelier 189, Flush Mount 59, Spotlight Bar 74, Lantern 69',
        finishes: 'Smoked Glass, Paper, Aged Brass, Pleated, Concrete',
      },
      'Floor Lamps': {
        things: 'Floor Lamp 129, Arc Lamp 179, Tripod Lamp 139, Uplighter 99, Reading Stand 109',
        finishes: 'Oak, Black Steel, Linen Shade, Brushed Nickel, Marble',
      },
      Candles: {
        things: 'Pillar Candle 12, Tealight Set 7, Scented Candle 24, Taper Candle 5, Candle Holder 19',
        finishes: 'Beeswax, Cedar, Fig, Unscented, Amber',
      },
    },
  },
  {
    name: 'Garden',
    weight: 0.95,
    season: [0.3, 0.5, 1.2, 1.8, 1.95, 1.6, 1.15, 0.9, 0.8, 0.6, 0.35, 0.3],
    formats: [1.2, 1, 0.35],
    cost: 0.55,
    brands: ['Kettlewell', 'Grønbo', 'Verdemont', 'Spade & Sons', 'Hortensia'],
    subcategories: {
      'Garden Furniture': {
        things: 'Garden Bench 189, Garden Chair 79, Bistro Table 99, Sun Lounger 149, Parasol 85',
        finishes: 'Teak, Acacia, Powder-Coated, Woven, Folding',
      },
      'Pots & Planters': {
        things: 'Planter 29, Hanging Pot 17, Window Box 24, Herb Pot 9, Saucer 6',
        finishes: 'Terracotta, Zinc, Glazed, Fibre Clay, Corten',
      },
      'Garden Tools': {
        things: 'Trowel 14, Hand Fork 14, Secateurs 32, Watering Can 27, Spade 39',
        finishes: 'Ash Handle, Forged, Copper-Plated, Long-Reach, Children’s',
      },
      'Seeds & Bulbs': {
        things: 'Tomato Seeds 4, Wildflower Mix 6, Tulip Bulbs 9, Herb Seeds 4, Lavender Seeds 5',
        finishes: 'Heirloom, Organic, Early, Dwarf, Giant',
      },
    },
  },
  {
    name: 'Outdoor',
    weight: 0.6,
    season: [0.55, 0.6, 0.8, 1, 1.25, 1.5, 1.6, 1.4, 1, 0.75, 0.7, 0.85],
    formats: [1.2, 1, 0.4],
    cost: 0.54,
    brands: ['Fjellvik', 'Tarn & Ridge', 'Altopiano', 'Roam Union', 'Saltmarsh'],
    subcategories: {
      Camping: {
        things: 'Two-Person Tent 189, Sleeping Bag 99, Camping Mat 45, Camp Stove 59, Head Torch 29',
        finishes: 'Ultralight, Trek, Basecamp, Alpine, Family',
      },
      'Bags & Packs': {
        things: 'Daypack 65, Trekking Pack 139, Dry Bag 25, Hip Bag 32, Duffel 89',
        finishes: 'Ripstop, Waxed Canvas, Recycled, Roll-Top, Expedition',
      },
      Picnic: {
        things: 'Picnic Basket 69, Cool Bag 35, Picnic Blanket 39, Thermos 29, Lunch Box 19',
        finishes: 'Willow, Insulated, Tartan, Enamel, Compact',
      },
      'Outdoor Games': {
        things: 'Frisbee 12, Boules Set 35, Badminton Set 39, Kite 27, Croquet Set 75',
        finishes: 'Classic, Beach, Tournament, Travel, Junior',
      },
    },
  },
  {
    name: 'Toys & Games',
    weight: 0.95,
    season: [0.62, 0.62, 0.7, 0.75, 0.78, 0.8, 0.82, 0.82, 0.85, 1.05, 1.65, 2.54],
    formats: [1, 1, 1],
    cost: 0.5,
    brands: ['Pippin & Co', 'Lille Ugle', 'Spielwiese', 'Tangram House', 'Cubetto Rosso'],
    subcategories: {
      'Wooden Toys': {
        things: 'Train Set 49, Stacking Tower 19, Building Blocks 29, Pull-Along Duck 17, Dolls’ House 119',
        finishes: 'Painted, Natural, Rainbow, Pastel, Mini',
      },
      'Board Games': {
        things: 'Strategy Game 39, Word Game 25, Card Game 12, Quiz Game 29, Chess Set 45',
        finishes: 'Family, Travel, Deluxe, Two-Player, Collector’s',
      },
      'Soft Toys': {
        things: 'Bear 27, Rabbit 24, Fox 24, Elephant 29, Whale 32',
        finishes: 'Little, Big, Corduroy, Knitted, Sleepy',
      },
      'Craft & Science': {
        things: 'Paint Set 22, Crystal Kit 26, Microscope 69, Weaving Kit 24, Clay Set 18',
        finishes: 'Starter, Explorer, Studio, Pocket, Classroom',
      },
    },
  },
  {
    name: 'Pantry',
    weight: 2.1,
    season: [0.9, 0.9, 0.95, 1, 0.95, 0.92, 0.9, 0.9, 0.95, 1, 1.15, 1.48],
    formats: [0.8, 1, 2],
    cost: 0.62,
    brands: ['Colline Basse', 'Mill Lane', 'Havnegade', 'Dispensa Viola', 'Sorrel & Salt'],
    subcategories: {
      'Coffee & Tea': {
        things: 'Espresso Beans 11, Filter Coffee 10, Green Tea 8, Breakfast Tea 7, Herbal Infusion 7',
        finishes: 'House Blend, Single Origin, Decaffeinated, Organic, Limited',
      },
      Chocolate: {
        things: 'Chocolate Bar 4, Truffle Box 16, Drinking Chocolate 9, Praline Box 19, Chocolate Buttons 6',
        finishes: 'Dark, Milk, Hazelnut, Sea Salt, Orange',
      },
      'Oils & Preserves': {
        things: 'Olive Oil 14, Vinegar 8, Marmalade 6, Honey 9, Chutney 6',
        finishes: 'Reserve, Mild, Aged, Wild, Spiced',
      },
      Biscuits: {
        things: 'Shortbread 6, Cantuccini 7, Ginger Thins 5, Oatcakes 4, Stroopwafels 5',
        finishes: 'Butter, Almond, Lemon, Wholegrain, Gift Tin',
      },
    },
  },
  {
    name: 'Stationery',
    weight: 1.3,
    season: [1.05, 0.85, 0.85, 0.85, 0.85, 0.85, 0.8, 1.4, 1.35, 0.95, 1.05, 1.15],
    formats: [0.9, 1, 1.4],
    cost: 0.42,
    brands: ['Quire', 'Foglio', 'Blank & Bound', 'Skrivhuset', 'Paper Quarter'],
    subcategories: {
      Notebooks: {
        things: 'Notebook 14, Diary 22, Sketchbook 17, Journal 19, Pocket Notebook 7',
        finishes: 'Ruled, Dotted, Plain, Leather, Clothbound',
      },
      Writing: {
        things: 'Fountain Pen 39, Ballpoint Pen 9, Pencil Set 12, Rollerball 16, Marker Set 18',
        finishes: 'Brass Body, Lacquered, Cedarwood, Matt Black, Coloured',
      },
      'Desk Accessories': {
        things: 'Desk Tray 26, Pen Pot 14, Bookends 32, Desk Mat 35, Magazine File 18',
        finishes: 'Walnut Veneer, Cork, Felt, Powder-Blue, Perforated Steel',
      },
      'Cards & Wrap': {
        things: 'Greeting Card 4, Gift Wrap 6, Postcard Set 9, Ribbon 5, Gift Tags 5',
        finishes: 'Letterpress, Botanical, Gold Foil, Kraft, Marbled',
      },
    },
  },
];

/** The chain's best sellers in order, which head the long tail of the sales. */
export const BEST_SELLERS: readonly string[] = [
  'House Blend Espresso Beans',
  'Sea Salt Chocolate Bar',
  'Dotted Notebook',
  'Stoneware Mug',
  'Terracotta Planter',
  'Washed Linen Napkin',
  'Fig Scented Candle',
  'Natural Building Blocks',
  'Enamel Thermos',
  'Butter Shortbread',
];
