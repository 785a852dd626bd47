// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

type Price is uint256;

using {add as +, lessThan as <, Parts.twice} for Price global;

function add(Price a, Price b) pure returns (Price) {
    return Price.wrap(Price.unwrap(a) + Price.unwrap(b));
}

function lessThan(Price a, Price b) pure returns (bool) {
    return Price.unwrap(a) < Price.unwrap(b);
}

function neverFree(uint256 x) pure returns (uint256) {
    return x + 1;
}

library Parts {
    function twice(Price p) internal pure returns (Price) {
        return p + p;
    }

    function max(uint256 a, uint256 b) internal pure returns (uint256) {
        return a > b ? a : b;
    }

    function find(uint256[] storage list, uint256 what) internal view returns (uint256) {
        uint256 n = list.length;
        for (uint256 i = 0; i < n; i++) {
            if (list[i] == what) {
                return i;
            }
        }
        return type(uint256).max;
    }

    function unused(uint256 x) internal pure returns (uint256) {
        return x;
    }
}

abstract contract Base {
    address public owner;
    bool internal locked;
    uint256 public count;

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    modifier guarded() {
        if (locked) {
            revert("locked");
        }
        locked = true;
        _;
        locked = false;
    }

    modifier atMost(uint256 value, uint256 most) {
        if (value <= most) {
            _;
        }
    }

    constructor(address first) {
        owner = first;
        count = 1;
    }

    function name() public view virtual returns (string memory);

    function step(uint256 by) public virtual {
        count += by;
    }

    function hook() internal virtual {}

    function over(uint256 x) public pure virtual returns (uint256) {
        return x;
    }
}

contract Middle is Base {
    constructor(address first) Base(first) {
        if (first == address(0)) owner = msg.sender;
    }

    function name() public view virtual override returns (string memory) {
        return "middle";
    }

    function step(uint256 by) public virtual override guarded {
        super.step(by);
        hook();
    }
}

contract Derived is Middle {
    uint256 public constant LIMIT = 10;
    uint256[] public items;
    uint256 private start = Parts.max(1, 2);
    uint256 public got;

    constructor() Middle(address(0)) {}

    receive() external payable {
        got += msg.value;
    }

    fallback(bytes calldata data) external payable returns (bytes memory) {
        if (data.length > 8) {
            return data[0:8];
        }
        return "";
    }

    function name() public view override returns (string memory) {
        return locked ? super.name() : "derived";
    }

    function hook() internal override {
        count += 10;
    }

    function over(uint256 x) public pure override returns (uint256) {
        return x + 1;
    }

    function over(uint256 x, uint256 y) public pure returns (uint256) {
        return x + y;
    }

    function reenter() external guarded {
        this.step(1);
    }

    function small(uint256 x) external atMost(x, 5) returns (uint256 y) {
        y = x;
        items.push(x);
    }

    function admin(uint256 x) external onlyOwner guarded {
        items.push(x);
    }

    function price(uint256 a, uint256 b) external pure returns (bool) {
        Price p = Price.wrap(a) + Price.wrap(b);
        return p < Price.wrap(10).twice();
    }

    function index(uint256 what) external view returns (uint256) {
        return Parts.find(items, what);
    }
}
