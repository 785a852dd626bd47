// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
}

abstract contract Owned {
    address public owner;

    error NotOwner(address caller);

    constructor() {
        owner = msg.sender;
    }

    modifier onlyOwner() {
        if (owner != msg.sender) revert NotOwner(msg.sender);
        _;
    }

    function give(address to) public virtual onlyOwner {
        require(to != address(0), "nobody");
        owner = to;
    }
}

contract Token is IToken, Owned {
    string public constant name = "Token";
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    bool internal paused;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error TooLittle(uint256 has, uint256 needs);

    modifier whenRunning() {
        require(!paused, "paused");
        _;
    }

    constructor(uint256 supply) {
        _mint(msg.sender, supply);
    }

    function transfer(address to, uint256 amount) external override whenRunning returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external whenRunning returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            if (allowed < amount) {
                revert TooLittle({has: allowed, needs: amount});
            }
            unchecked {
                allowance[from][msg.sender] = allowed - amount;
            }
        }
        _move(from, to, amount);
        return true;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function approve(address spender) external returns (bool ok) {
        allowance[msg.sender][spender] = type(uint256).max;
        ok = true;
    }

    function pause(bool on) external onlyOwner {
        paused = on;
    }

    function burn(uint256 amount) external {
        uint256 has = balanceOf[msg.sender];
        if (has < amount) revert TooLittle(has, amount);
        balanceOf[msg.sender] = has - amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
    }

    function give(address to) public override {
        super.give(to);
        emit Transfer(address(0), to, 0);
    }

    function _mint(address to, uint256 amount) internal {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        uint256 has = balanceOf[from];
        if (has < amount) {
            revert TooLittle(has, amount);
        }
        unchecked {
            balanceOf[from] = has - amount;
            balanceOf[to] += amount;
        }
        emit Transfer(from, to, amount);
    }

    function _unused(uint256 x) internal pure returns (uint256) {
        x = x + 1;
        return x;
    }
}
