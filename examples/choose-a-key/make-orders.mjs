// Prints 10,000 orders of a shop with many tenants, one of which has 40 % of them, as lines of JSON.

let state = 7
// the same numbers in every run
const random = () => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31
  return state / 2 ** 31
}

const START = Date.UTC(2026, 0, 1)

for (let number = 0; number < 10_000; number++) {
  const tenant = random() < 0.4 ? 0 : 1 + Math.floor(random() * 10_000)
  console.log(
    JSON.stringify({
      id: `order-${number}`,
      tenantId: `tenant-${tenant}`,
      customerId: `customer-${Math.floor(random() * 8000)}`,
      status: random() < 0.1 ? 'open' : 'shipped',
      at: new Date(START + number * 8640).toISOString(),
      total: Math.round(random() * 10_000) / 100
    })
  )
}
