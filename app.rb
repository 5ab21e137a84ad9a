class Cart
  def initialize = @items = [3, 4]
  def save
    @items.each { |price| File.write("/dev/null", price.to_s) }
  end
end
cart = Cart.new
(1..5).each { cart.save }
sleep 0.3

